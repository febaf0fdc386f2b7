# Asset catalogues in Buck2: one action for each catalogue or group of a catalogue, and one that
# links. Written after Buck2's documentation and not tested, because Buck2 is not available from
# Debian or PyPI. ../Bazel/carve.bzl is tested.

CarveObjects = provider(fields = {"objects": provider_field(typing.Any, default = [])})

def _object(ctx):
    out = ctx.actions.declare_output(ctx.label.name + ".caro")

    # A folder with exactly the declared files, under the name that findings show.
    catalog = ctx.actions.symlinked_dir(ctx.attrs.catalog, {
        source.short_path.removeprefix(ctx.attrs.catalog + "/"): source
        for source in ctx.attrs.srcs
    })
    folder = cmd_args(catalog, format = "{}/" + ctx.attrs.group if ctx.attrs.group else "{}")
    command = cmd_args(ctx.attrs._carve[RunInfo], "compile", "--object", folder, "--werror=missing-file")
    for group in ctx.attrs.without:
        command.add("--without", cmd_args(catalog, format = "{}/" + group))
    command.add(ctx.attrs.settings, "-o", out.as_output())
    ctx.actions.run(command, category = "carve_object")
    return [DefaultInfo(default_output = out), CarveObjects(objects = [out])]

carve_object = rule(
    impl = _object,
    attrs = {
        "catalog": attrs.string(),
        "group": attrs.option(attrs.string(), default = None),
        "without": attrs.list(attrs.string(), default = []),
        "srcs": attrs.list(attrs.source()),
        "settings": attrs.list(attrs.string(), default = []),
        "_carve": attrs.exec_dep(default = "//:carve"),
    },
)

def _archive(ctx):
    out = ctx.actions.declare_output("Assets.car")
    header = ctx.actions.declare_output("assets.h")
    objects = []
    for dependency in ctx.attrs.objects:
        objects += dependency[CarveObjects].objects
    ctx.actions.run(
        cmd_args(
            ctx.attrs._carve[RunInfo], "link", objects, "-o", out.as_output(), "--c", header.as_output(),
            ctx.attrs.options,
        ),
        category = "carve_link",
    )
    return [DefaultInfo(default_output = out, sub_targets = {"header": [DefaultInfo(default_output = header)]})]

carve_archive = rule(
    impl = _archive,
    attrs = {
        "objects": attrs.list(attrs.dep(providers = [CarveObjects])),
        "options": attrs.list(attrs.string(), default = []),
        "_carve": attrs.exec_dep(default = "//:carve"),
    },
)
