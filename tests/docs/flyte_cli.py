"""Asks the pinned Flyte CLI's own parser whether it would take a command; nothing is run."""

import shlex
from pathlib import Path

import click
from flyte.cli.main import main

# What stands in a command for something of the reader's.
STAND_INS = {"...": "", "ADDRESS": "localhost:30080"}
# Commands whose subcommands are files or names in a deployment; what follows them is the task's.
OPEN_ENDED = {"run", "deploy", "build", "serve", "deployed-task"}


def verbs() -> list[str]:
    """The commands at the top."""
    return main.list_commands(click.Context(main))


def complaint(command: str) -> str:
    """Why the CLI would refuse `flyte ...`; empty text if it would not."""
    words = shlex.split(command, comments=True)
    words = [STAND_INS.get(word, word) for word in words]
    words = [word for word in words if word]
    assert words[0] == "flyte", command
    try:
        walk(main, words[1:], None, "flyte")
    except click.ClickException as problem:
        return f"{command}: {problem.format_message()}"
    return ""


def walk(
    command: click.Command, words: list[str], parent: click.Context | None, name: str
) -> None:
    context = click.Context(command, parent=parent, info_name=name)
    if not isinstance(command, click.Group):
        check_leaf(command, words, context)
        return
    context.allow_interspersed_args = False
    _, rest, _ = command.make_parser(context).parse_args(list(words))
    if not rest:
        # A noun is missing, unless the command alone means something.
        if name != "flyte" or words:
            return
        raise click.UsageError("no command")
    if name in OPEN_ENDED and (
        rest[0].endswith(".py") or Path(rest[0]).suffix == ".py"
    ):
        return
    inner = command.get_command(context, rest[0])
    if inner is None:
        raise click.UsageError(f"no such command `{rest[0]}` of `{name}`")
    if rest[0] in OPEN_ENDED and not isinstance(inner, click.Group):
        check_leaf(inner, rest[1:], context)
        return
    if rest[0] == "deployed-task":
        return
    walk(inner, rest[1:], context, rest[0])


def check_leaf(
    command: click.Command, words: list[str], context: click.Context
) -> None:
    """Options must exist with values of their type, and every argument that is needed be there."""
    values, rest, _ = command.make_parser(context).parse_args(list(words))
    if rest:
        raise click.UsageError(f"no place for {rest}")
    for parameter in command.get_params(context):
        value = values.get(parameter.name or "")
        missing = value is None or str(value).startswith("Sentinel.") or value == ()
        if missing:
            if parameter.required and parameter.name not in ("help",):
                raise click.UsageError(f"{parameter.name} is missing")
        elif isinstance(parameter.type, click.Choice | click.types.IntParamType):
            parameter.type_cast_value(context, value)
