// Takes back what an attempt to lift a statement has noted, where it came to nothing.
#include "passes/lifting.hpp"

namespace s2f::passes {

Lifting::Attempt::Attempt(Lifting& lifting)
    : lifting_(lifting), state_(lifting.state()), here_paths_(lifting.here_paths_),
      payload_(lifting.job_.slurm_payload), changing_(lifting.job_.changing_locals),
      numbers_(lifting.job_.number_locals), inlined_(lifting.job_.inlined), lists_(lifting.lists_),
      locals_(lifting.job_.locals), findings_(lifting.context_.findings.all().size()),
      include_(lifting.job_.include.size()), reads_(lifting.job_.slurm_reads.size()),
      reviews_(lifting.job_.reviews.size()), number_reads_(lifting.job_.number_reads.size()),
      pattern_reads_(lifting.job_.pattern_reads.size()),
      index_(lifting.job_.array && lifting.job_.array->index_used) {
  for (const auto& [name, made] : lifting.made_functions_) {
    functions_.insert(name);
  }
}

void Lifting::Attempt::undo() const {
  ir::Job& job = lifting_.job_;
  lifting_.restore(state_);
  lifting_.context_.findings.keep_first(findings_);
  lifting_.here_paths_ = here_paths_;
  lifting_.lists_ = lists_;
  job.include.resize(include_);
  job.reviews.resize(reviews_);
  job.slurm_reads.erase(job.slurm_reads.begin() + static_cast<std::ptrdiff_t>(reads_),
                        job.slurm_reads.end());
  job.slurm_payload = payload_;
  job.locals = locals_;
  job.changing_locals = changing_;
  job.number_locals = numbers_;
  job.number_reads.resize(number_reads_);
  job.pattern_reads.resize(pattern_reads_);
  if (job.array) {
    job.array->index_used = index_;
  }
  job.inlined = inlined_;
  std::erase_if(lifting_.made_functions_, [&](const auto& each) {
    if (functions_.contains(each.first)) {
      return false;
    }
    job.body[each.second.place].value = ir::Opaque{"a function"};
    return true;
  });
}

} // namespace s2f::passes
