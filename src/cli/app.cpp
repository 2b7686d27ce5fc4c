// Reads the command line, and calls the command that it names.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/audit_command.hpp"
#include "cli/commands.hpp"
#include "cli/completions.hpp"
#include "cli/manual.hpp"
#include "cli/signoff_command.hpp"
#include "cli/suggest.hpp"
#include "cli/verify_command.hpp"
#include "flyte/releases.hpp"
#include "generated/embedded.hpp"
#include "slurm/options.hpp"

namespace s2f::cli {

namespace {

constexpr auto description = R"(Turns Slurm job scripts into typed Flyte 2 Python.

Nothing in a script is run, and no line of it is lost: beside each module stands a
review that says what became of every line, and what is left for you to decide.
)";

constexpr auto main_examples = R"(Examples:
  slurm2flyte convert train.sh       write train_flyte.py and train_flyte.review.md
  slurm2flyte inspect train.sh       show what sbatch makes of the #SBATCH lines
  slurm2flyte explain S2F210         explain a code that a review names
  slurm2flyte COMMAND --help         tell more of a command

Environment:
  SLURM2FLYTE_CONFIG    stands for --config of any command
  SLURM2FLYTE_CLUSTER   stands for --cluster of any command
  SLURM2FLYTE_FAIL_ON   stands for --fail-on
  NO_COLOR              no colours; CLICOLOR_FORCE: colours into files and pipes, too)";

constexpr auto convert_examples = R"(Examples:
  slurm2flyte convert train.sh
  slurm2flyte convert submit.sh prep.sh train.sh      a driver and what it submits
  slurm2flyte convert train.sh -o -                   the module to standard output
  slurm2flyte convert train.sh --report review.json   or .html, .sarif, .md, .txt
  slurm2flyte convert jobs --out-dir flyte            every script below jobs/
  slurm2flyte convert *.sh --out-dir flyte --fail-on decision

Exit status:
  0  done, and no finding at or above --fail-on
  1  there are such findings; that sbatch refuses a script is an error
  2  wrong use, a file that cannot be read or written, or an internal error)";

constexpr auto inspect_examples = R"(Examples:
  slurm2flyte inspect train.sh
  slurm2flyte inspect train.sh --json
  slurm2flyte inspect train.sh -- --mem=8G -N 2         as `sbatch --mem=8G -N 2 train.sh`
  slurm2flyte inspect train.sh --env SBATCH_PARTITION=gpu

Your own SBATCH_* and SLURM_* variables are never read. The exit status is 1 when sbatch
would refuse the script, 2 when it cannot be read. Without --now times of day stay
relative to the submission.)";

constexpr auto sign_off_examples = R"(Examples:
  slurm2flyte signoff list train.sh
  slurm2flyte signoff accept train.sh --id 3f9c1c0d7a55 --who ada --reason "same name here"
  slurm2flyte signoff accept jobs/*.sh --rule S2F210 --who ada
  slurm2flyte signoff reject train.sh --rule S2F601 --who ada --reason "data moved"
  slurm2flyte signoff import train.sh --from Downloads/slurm2flyte.signoff.json
  slurm2flyte signoff check jobs/*.sh     status 1 as long as a decision is open

What was accepted holds for the text that was there. If the script or the module changes
at that place, the question is open again.)";

constexpr auto init_examples = R"(Examples:
  slurm2flyte init              look below this directory, write slurm2flyte.toml
  slurm2flyte init jobs -o -    look below jobs/, print the site file

Every question stands there once, however many scripts ask it, the most frequent first.
Nothing is answered: take away a # to answer.)";

constexpr auto verify_examples = R"(Examples:
  slurm2flyte verify train_flyte.py
  slurm2flyte verify flyte          every *_flyte.py below flyte/
  slurm2flyte verify flyte --report review.html
  slurm2flyte verify --python ~/venvs/flyte/bin/python

The modules are imported, so what they import must be there; no task of them runs. What was
found is written into the review beside each module. The Python is that of --python, of
$S2F_PYTHON, of the active virtual environment, of the nearest .venv, or python3.

Exit status:
  0  every module can be registered
  1  one has a problem
  2  no module, or no Python that has flyte)";

constexpr auto audit_examples = R"(Examples:
  slurm2flyte audit             look below this directory
  slurm2flyte audit jobs --format markdown -o AUDIT.md
  slurm2flyte audit --weight answer=30 --weight by_hand=480

Nothing is written but what -o names. Minutes are estimates; the counts are not.)";

constexpr auto config_examples = R"(Examples:
  slurm2flyte config                 which site file holds here, and what it says
  slurm2flyte config jobs/train.sh   which one holds for that script
  slurm2flyte config --keys          every key that a site file may have)";

constexpr auto explain_examples = R"(Examples:
  slurm2flyte explain S2F210
  slurm2flyte explain queue-must-exist
  slurm2flyte rules                  lists them all)";

constexpr auto rules_examples = R"(Examples:
  slurm2flyte rules
  slurm2flyte rules --json
  slurm2flyte explain S2F210         has the page of one)";

constexpr auto options_examples = R"(Examples:
  slurm2flyte options
  slurm2flyte options --gres
  slurm2flyte options N --json)";

constexpr auto completions_examples = R"(Examples:
  source <(slurm2flyte completions bash)
  slurm2flyte completions zsh > ~/.zfunc/_slurm2flyte
  slurm2flyte completions fish > ~/.config/fish/completions/slurm2flyte.fish)";

constexpr auto manual_examples = R"(Examples:
  slurm2flyte man convert | man -l -
  slurm2flyte man > slurm2flyte.1)";

const std::map<std::string, std::optional<review::Severity>>& fail_on_values() {
  static const std::map<std::string, std::optional<review::Severity>> values{
      {"error", review::Severity::error},
      {"decision", review::Severity::decision},
      {"warning", review::Severity::warning},
      {"never", std::nullopt}};
  return values;
}

// What the command line said; filled while it is parsed.
struct Parsed {
  ConvertOptions convert;
  std::string fail_on = "error";
  InspectOptions inspect;
  InitOptions init;
  ConfigOptions config;
  AuditOptions audit;
  VerifyOptions verify;
  SignOffOptions sign_off;
  std::string code;
  std::string option_name;
  std::string shell;
  std::string manual_of;
  bool manual_list = false;
  bool json = false;
  bool version = false;
  bool licenses = false;
};

// Without a word about it in the help.
CLI::Validator not_negative() {
  CLI::Validator number = CLI::NonNegativeNumber;
  return number.description("");
}

CLI::Validator release() {
  return {[](const std::string& text) {
            return slurm::is_release(text) ? std::string()
                                           : text + " is no release of Slurm, as 22.05 is one";
          },
          ""};
}

CLI::Validator flyte_release() {
  return {[](const std::string& text) {
            if (!flyte::is_release(text))
              return text + " is no release of flyte, as 2.9 is one";
            const auto oldest = flyte::oldest_release();
            return flyte::is_older(text, oldest)
                       ? fmt::format("modules run with flyte {} and newer", oldest)
                       : std::string();
          },
          ""};
}

void add_convert(CLI::App& app, Parsed& parsed) {
  ConvertOptions& options = parsed.convert;
  CLI::App* command = app.add_subcommand("convert", "Write a Flyte module and a review");
  command->footer(convert_examples);
  command
      ->add_option("PATH", options.paths,
                   "Job scripts, scripts that submit them, and directories to look for them")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options.output, "Write the module here; - is standard output")
      ->type_name("FILE");
  command
      ->add_option("--out-dir", options.out_dir, "Write modules and reviews below this directory")
      ->type_name("DIR");
  command
      ->add_option("--report", options.reports,
                   "Write a review of all scripts; several are possible")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--fail-on", parsed.fail_on,
                   "error (default), decision, warning or never: see below")
      ->type_name("WHAT");
  command->add_flag("--force", options.force,
                    "Overwrite outputs that were edited by hand, or are not ours");
  command->add_flag("--keep-going", options.keep_going, "Convert what sbatch would refuse, too");
  command
      ->add_option("--slurm-version", options.slurm_version,
                   "Take the options that this release of sbatch knew, as 18.08")
      ->type_name("YY.MM")
      ->check(release());
  command
      ->add_option("--flyte-version", options.flyte_version,
                   "Write for this release of flyte, as 2.9, and say what it does not know")
      ->type_name("RELEASE")
      ->check(flyte_release());
  command
      ->add_option("--config", options.config,
                   "Take this site file; else the nearest slurm2flyte.toml")
      ->type_name("FILE");
  command
      ->add_option("--cluster", options.cluster,
                   "The [cluster.NAME] of the site file, for all paths")
      ->type_name("NAME");
  command
      ->add_option("--sign-off", options.sign_off,
                   "Take this sign-off file; else the nearest slurm2flyte.signoff.json")
      ->type_name("FILE");
  command
      ->add_option("--format", options.format,
                   "What is printed: text (default), or github for annotations")
      ->type_name("HOW");
  command->add_option("--templates", options.templates, "Use your own templates before ours")
      ->type_name("DIR");
  command->add_flag("-v,--verbose", options.verbose, "Print warnings and notes, too");
  command->add_flag("--family", options.family,
                    "The scripts are copies for several clusters: one module for all");
  command->add_flag("--check", options.check,
                    "Write nothing; status 1 if an output or a signature is stale");
  command->add_flag("--diff", options.diff, "Write nothing; show what would change");
  command
      ->add_option("--stdin-filename", options.stdin_filename,
                   "What the script that comes from standard input (-) is called")
      ->type_name("NAME");
  command->add_option("-j,--jobs", options.jobs, "Convert so many at a time; 0: as processors are")
      ->type_name("N");
  command
      ->add_option("--include", options.include,
                   "Of scripts below a directory, those that match; several are possible")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command->add_option("--exclude", options.exclude, "And those that do not; several are possible")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command->add_flag("--no-ignore", options.no_ignore, "Look at what .gitignore leaves out, too");
  command
      ->add_option("--max-size", options.limits.bytes,
                   "Refuse scripts of more bytes; 16 MiB is the most in any case")
      ->type_name("BYTES")
      ->check(not_negative());
  command
      ->add_option("--max-findings", options.limits.findings, "Refuse scripts with more findings")
      ->type_name("N")
      ->check(not_negative());
  command
      ->add_option("--max-depth", options.limits.depth,
                   "Refuse scripts that are nested deeper; text beyond 200 is kept in any case")
      ->type_name("N")
      ->check(not_negative());
  command
      ->add_option("--max-seconds", options.limits.seconds,
                   "Refuse scripts that took longer; looked at between stages")
      ->type_name("N")
      ->check(not_negative());
  command->add_flag("-q,--quiet", options.quiet, "Print errors only");
}

void add_inspect(CLI::App& app, Parsed& parsed) {
  InspectOptions& options = parsed.inspect;
  CLI::App* command = app.add_subcommand("inspect", "Show what sbatch makes of a script's header");
  command->footer(inspect_examples);
  command->add_option("FILE", options.path, "A job script; - is standard input")
      ->required()
      ->type_name("");
  command->add_flag("--json", options.json, "Print JSON, schema slurm2flyte-inspect/1");
  command
      ->add_option("--slurm-version", options.slurm_version,
                   "Read it as this release of sbatch would, as 18.08")
      ->type_name("YY.MM")
      ->check(release());
  command
      ->add_option("--env", options.environment,
                   "A variable that sbatch would see; several are possible")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--now", options.now, "When the job is submitted: 2026-01-31T12:00:00")
      ->type_name("TIME");
}

void add_others(CLI::App& app, Parsed& parsed) {
  CLI::App* explain = app.add_subcommand("explain", "Explain a code that a review names");
  explain->footer(explain_examples);
  explain->add_option("CODE", parsed.code, "S2F210, 210 or queue-must-exist")
      ->required()
      ->type_name("");
  CLI::App* rules = app.add_subcommand("rules", "List everything that a review can say");
  rules->footer(rules_examples);
  rules->add_flag("--json", parsed.json, "Print JSON");
  CLI::App* options = app.add_subcommand("options", "List what becomes of each sbatch option");
  options->footer(options_examples);
  options->add_option("NAME", parsed.option_name, "One option: gres, --gres or -N")->type_name("");
  options->add_flag("--json", parsed.json, "Print JSON");
}

void add_descriptions(CLI::App& app, Parsed& parsed) {
  CLI::App* shell = app.add_subcommand("completions", "Print what completes commands in a shell");
  shell->footer(completions_examples);
  shell->add_option("SHELL", parsed.shell, "bash, zsh or fish")->required()->type_name("");
  CLI::App* manual = app.add_subcommand("man", "Print a manual page");
  manual->footer(manual_examples);
  manual->add_option("COMMAND", parsed.manual_of, "The command; without it that of all")
      ->type_name("");
  manual->add_flag("--list", parsed.manual_list,
                   "Print the names of the commands in place of a page");
}

// A variable stands for an option that is not on the command line.
void take_variables(const CLI::App& app, const Console& console) {
  if (!console.environment)
    return;
  for (CLI::App* command : app.get_subcommands()) {
    for (const auto& [name, variable] : {std::pair{"--config", "SLURM2FLYTE_CONFIG"},
                                         std::pair{"--cluster", "SLURM2FLYTE_CLUSTER"},
                                         std::pair{"--fail-on", "SLURM2FLYTE_FAIL_ON"}}) {
      CLI::Option* option = command->get_option_no_throw(name);
      const auto value = console.environment(variable);
      if (option != nullptr && option->count() == 0 && value && !value->empty()) {
        option->add_result(*value);
        option->run_callback();
      }
    }
  }
}

void add_site(CLI::App& app, Parsed& parsed) {
  CLI::App* init = app.add_subcommand("init", "Write a site file with what scripts leave open");
  init->footer(init_examples);
  init->add_option("PATH", parsed.init.paths, "Scripts, or directories to look for them (here)")
      ->type_name("");
  init->add_option("-o,--output", parsed.init.output,
                   "Write it here in place of slurm2flyte.toml; - is standard output")
      ->type_name("FILE");
  init->add_flag("--force", parsed.init.force, "Overwrite a site file that is there");
  CLI::App* config = app.add_subcommand("config", "Show the site file that holds, or its keys");
  config->footer(config_examples);
  config->add_option("PATH", parsed.config.path, "The script that it should hold for")
      ->type_name("");
  config->add_option("--config", parsed.config.config, "Take this site file")->type_name("FILE");
  config->add_flag("--keys", parsed.config.keys, "List every key that a site file may have");
  config->add_flag("--json", parsed.config.json, "Print JSON");
}

void add_verify(CLI::App& app, Parsed& parsed) {
  VerifyOptions& options = parsed.verify;
  CLI::App* command = app.add_subcommand("verify", "Ask the Flyte SDK whether modules are sound");
  command->footer(verify_examples);
  command->add_option("PATH", options.paths, "Modules, or directories to look for them (here)")
      ->type_name("");
  command
      ->add_option("--report", options.reports,
                   "Write it into this report of convert's too (.html, .json, .sarif)")
      ->type_name("FILE");
  command->add_option("--python", options.python, "The Python to ask; it must have flyte")
      ->type_name("FILE");
  command->add_flag("--json", options.json, "Print JSON");
}

void add_audit(CLI::App& app, Parsed& parsed) {
  AuditOptions& options = parsed.audit;
  CLI::App* command =
      app.add_subcommand("audit", "Count what a repository of scripts comes to, and plan it");
  command->footer(audit_examples);
  command->add_option("PATH", options.paths, "Scripts, or directories to look for them (here)")
      ->type_name("");
  command->add_option("--format", options.format, "text (default), markdown, json or html")
      ->type_name("HOW");
  command->add_option("-o,--output", options.output, "Write it here; - is standard output")
      ->type_name("FILE");
  command->add_option("--top", options.top, "Rows of a table (10); 0: all")->type_name("N");
  command->add_option("-j,--jobs", options.jobs, "Read so many at a time; 0: as processors are")
      ->type_name("N");
  command
      ->add_option("--weight", options.weights,
                   "The minutes that one of a kind takes; several are possible")
      ->type_name("NAME=MINUTES")
      ->allow_extra_args(false);
  command->add_option("--config", options.config, "Take this site file")->type_name("FILE");
  command->add_option("--cluster", options.cluster, "The [cluster.NAME] of the site file")
      ->type_name("NAME");
}

void add_sign_off(CLI::App& app, Parsed& parsed) {
  SignOffOptions& options = parsed.sign_off;
  CLI::App* command =
      app.add_subcommand("signoff", "Show, accept and refuse what a review leaves open");
  command->footer(sign_off_examples);
  command->add_option("ACTION", options.action, "list, check, accept, reject, prune or import")
      ->required()
      ->type_name("");
  command->add_option("PATH", options.paths, "The scripts")->required()->type_name("");
  command->add_option("--id", options.ids, "The finding with this id; several are possible")
      ->allow_extra_args(false);
  command->add_option("--rule", options.rules, "Every finding of this rule")
      ->allow_extra_args(false);
  command->add_flag("--all", options.all, "Every finding that is open");
  command->add_option("--who", options.who, "Who signs")->type_name("NAME");
  command->add_option("--reason", options.reason, "Why")->type_name("TEXT");
  command->add_option("--answer", options.answer, "The choice, where it is not the default")
      ->type_name("TEXT");
  command->add_option("--date", options.date, "When (today)")->type_name("DATE");
  command->add_option("--from", options.from, "What import reads")->type_name("FILE");
  command->add_option("--file", options.file, "In place of the nearest slurm2flyte.signoff.json")
      ->type_name("FILE");
  command->add_option("--config", options.config, "Take this site file")->type_name("FILE");
  command->add_option("--cluster", options.cluster, "The [cluster.NAME] of the site file")
      ->type_name("NAME");
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

const CLI::App* chosen(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? &app : commands.front();
}

std::string help_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? "slurm2flyte --help"
                                     : "slurm2flyte " + app.get_name() + " --help";
}

// CLI11's own words are for programmers; these say what to type.
int usage_error(const CLI::App& app, const CLI::ParseError& problem,
                const std::vector<std::string>& arguments, const Console& console) {
  const CLI::App* command = chosen(app);
  std::string message = problem.what();
  const bool no_command = command == &app;
  if (no_command && !arguments.empty() && !arguments.front().starts_with('-')) {
    const std::string& word = arguments.front();
    message = "there is no command `" + word + "`";
    if (console.files.is_file(word))
      message += "; to convert that script: slurm2flyte convert " + word;
    else
      message += did_you_mean(word, command_names(app));
  } else if (problem.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const auto extras = command->remaining();
    const auto all = extras.empty() ? app.remaining() : extras;
    if (!all.empty()) {
      const std::string& word = all.front();
      std::vector<std::string> known;
      for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames())
          known.push_back("--" + name);
      message = word.starts_with('-') ? "there is no option " + word + did_you_mean(word, known)
                                      : "there is no place for `" + word + "` on the command line";
      if (command->get_name() == "inspect")
        message += "; options of sbatch stand after --";
    }
  } else if (problem.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) &&
             !no_command) {
    for (const CLI::Option* option : command->get_options())
      if (option->get_required() && option->count() == 0)
        message = command->get_name() + " wants " + option->get_name(true);
  }
  complain(console, message);
  hint(console, help_of(*command) + " tells more.");
  return failed;
}

int print_completions(const std::string& shell, const CLI::App& app, const Console& console) {
  const auto script = completions(shell, commands_of(app));
  if (script.empty()) {
    complain(console, "completions are there for bash, zsh and fish, not for `" + shell + "`");
    hint(console, "slurm2flyte completions --help tells more.");
    return failed;
  }
  console.out(script);
  return done;
}

int print_manual(const std::string& name, const CLI::App& app, const Console& console) {
  const auto commands = commands_of(app);
  const auto found = std::ranges::find(commands, name, &Command::name);
  if (found == commands.end()) {
    complain(console,
             "there is no command `" + name + "`" + did_you_mean(name, command_names(app)));
    hint(console, "slurm2flyte --help lists them all.");
    return failed;
  }
  console.out(manual_page(*found, commands));
  return done;
}

// CLI11 gives `--` another meaning than "what follows is sbatch's".
std::vector<std::string> take_sbatch_arguments(std::vector<std::string>& arguments) {
  std::vector<std::string> taken;
  if (arguments.empty() || arguments.front() != "inspect")
    return taken;
  const auto mark = std::ranges::find(arguments, "--");
  if (mark != arguments.end()) {
    taken.assign(mark + 1, arguments.end());
    arguments.erase(mark, arguments.end());
  }
  return taken;
}

// `options --gres` means the option of sbatch.
void take_for_a_name(std::vector<std::string>& arguments) {
  if (arguments.size() < 2 || arguments.front() != "options")
    return;
  for (std::string& word : arguments) {
    if (word != "--json" && word != "--help" && word != "-h")
      word.erase(0, std::min(word.find_first_not_of('-'), word.size()));
  }
}

} // namespace

int run(std::vector<std::string> arguments, const Console& console) {
  Parsed parsed;
  parsed.inspect.arguments = take_sbatch_arguments(arguments);
  take_for_a_name(arguments);

  CLI::App app(description, "slurm2flyte");
  app.get_formatter()->column_width(28);
  app.footer(main_examples);
  app.set_help_flag("-h,--help", "Show this");
  app.add_flag("--version", parsed.version, "Print the version");
  app.add_flag("--json", parsed.json, "Print it as JSON");
  app.add_flag("--licenses", parsed.licenses, "Print the licences of what the program is made of");
  app.require_subcommand(0, 1);
  add_convert(app, parsed);
  add_inspect(app, parsed);
  add_site(app, parsed);
  add_audit(app, parsed);
  add_verify(app, parsed);
  add_sign_off(app, parsed);
  add_others(app, parsed);
  add_descriptions(app, parsed);

  try {
    // CLI11 takes them from the back.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    take_variables(app, console);
  } catch (const CLI::CallForHelp&) {
    const auto* command = chosen(app);
    console.out(command == &app ? app.help() : command->help(app.get_name()));
    return done;
  } catch (const CLI::ParseError& problem) {
    return usage_error(app, problem, arguments, console);
  }

  if (app.got_subcommand("convert")) {
    const auto& levels = fail_on_values();
    const auto level = levels.find(parsed.fail_on);
    if (level == levels.end()) {
      complain(console,
               "--fail-on wants error, decision, warning or never, not `" + parsed.fail_on + "`");
      return failed;
    }
    parsed.convert.fail_on = level->second;
    return convert(parsed.convert, console);
  }
  if (app.got_subcommand("inspect"))
    return inspect(parsed.inspect, console);
  if (app.got_subcommand("signoff"))
    return sign_off(parsed.sign_off, console);
  if (app.got_subcommand("verify"))
    return verify(parsed.verify, console);
  if (app.got_subcommand("audit"))
    return audit(parsed.audit, console);
  if (app.got_subcommand("init"))
    return init(parsed.init, console);
  if (app.got_subcommand("config"))
    return config(parsed.config, console);
  if (app.got_subcommand("explain"))
    return explain(parsed.code, console);
  if (app.got_subcommand("rules"))
    return rules(parsed.json, console);
  if (app.got_subcommand("options"))
    return options(parsed.option_name, parsed.json, console);
  if (app.got_subcommand("completions"))
    return print_completions(parsed.shell, app, console);
  if (parsed.manual_list) {
    for (const auto& name : command_names(app))
      console.out(name + '\n');
    return done;
  }
  if (app.got_subcommand("man"))
    return print_manual(parsed.manual_of, app, console);
  if (parsed.licenses) {
    for (const auto& notice : embedded::notices())
      console.out(notice.text);
    return done;
  }
  if (parsed.version)
    return version(parsed.json, console);
  console.err(app.help());
  return failed;
}

} // namespace s2f::cli
