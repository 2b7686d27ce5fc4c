// The files that a driver goes through, of directories that `main` is given.
//
// before:  Folder{data, listings {*.fastq}}
// after:   data_files = await matching(data, "*.fastq")
#include <fmt/format.h>

#include "lower/driver_main.hpp"

namespace s2f::lower {

using ir::Term;

std::vector<flyte::Stmt> Main::listings() {
  std::vector<flyte::Stmt> out;
  for (const ir::Folder& folder : driver_.folders) {
    const Term given =
        ir::terms::make(Term::Kind::parameter, Term::Type::text, {}, folder.parameter);
    for (const ir::Folder::Listing& listing : folder.listings) {
      std::vector<flyte::Arg> arguments{flyte::arg(terms_.expression(given)),
                                        flyte::arg(flyte::str(listing.pattern))};
      auto& options = module_.helpers["matching"];
      if (!listing.required) {
        arguments.push_back(flyte::arg("required", flyte::name("False")));
        options.insert("required");
      }
      if (listing.deep) {
        arguments.push_back(flyte::arg("deep", flyte::name("True")));
        options.insert("deep");
      }
      out.push_back(assignment(terms_.name_of(listing.variable),
                               flyte::await(flyte::call("matching", std::move(arguments)))));
      out.back().notes.trailing = "was " + folder.was;
      out.back().notes.spans = {folder.span};
    }
  }
  return out;
}

// A value as the task takes it: a file of a directory, or the directory and the file's name.
void Main::give(const ir::Parameter& parameter, const Term& value, std::vector<flyte::Arg>& out) {
  if (!parameter.folder.empty()) {
    const Term folder = ir::terms::make(Term::Kind::parameter, Term::Type::text, {}, value.text);
    out.push_back(flyte::arg(parameter.folder, terms_.expression(folder)));
  }
  out.push_back(flyte::arg(parameter.taken_as.empty() ? parameter.name : parameter.taken_as,
                           terms_.text(value)));
}

} // namespace s2f::lower
