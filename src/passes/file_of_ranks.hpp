// A file that a script writes once, and each of its ranks would write.
//
// before:  cat <<EOT > $config
// after:   cat <<EOT > $config.$LOCAL_RANK ... EOT, mv -f $config.$LOCAL_RANK $config: whoever
// reads
//          the file finds it whole
#pragma once

#include "passes/context.hpp"

namespace s2f::passes {

// What programs print that is the same on every node, and leave nothing behind.
[[nodiscard]] bool same_everywhere(const shell::CommandSubstitution& part, bool may_vary = false);
// Whether it is not another one each time.
[[nodiscard]] bool fixed(const shell::WordPart& part);

// The file's redirection, where a statement writes a text that is the same in every rank to one
// file, and does no more.
[[nodiscard]] const shell::Redirect* writes_one_file(const shell::Statement& statement);
// Lets each rank write the file under a name of its own first.
void write_whole(PassContext& context, const ir::Step& step);
// Whether the text that stays Bash does so.
[[nodiscard]] bool written_whole(const ir::Job& job, const shell::Statement& statement);
void say_written_whole(PassContext& context, const ir::Step& step);

} // namespace s2f::passes
