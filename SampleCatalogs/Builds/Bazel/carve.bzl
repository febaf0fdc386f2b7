"""Asset catalogues in Bazel: one action for each catalogue or group of a catalogue, and one that
links.

    load(":carve.bzl", "carve_assets")

    carve_assets(
        name = "assets",
        catalogs = {"Icons.xcassets": [], "Assets.xcassets": ["Photos", "Store/Banners"]},
        settings = ["--platform", "iphoneos", "--app-icon", "AppIcon"],
        header = "assets.h",
    )

Every file that an action reads is declared, including the tool, so that caches and remote workers
have them. Objects and archives have the same bytes on every machine.
"""

CarveObjects = provider("Parts of an archive.", fields = {"objects": "their files, in the order of the catalogues"})

# The tool is not in the root of the workspace: a program without a folder would be searched in
# PATH.
_TOOL = attr.label(
    default = Label("//tools:carve"),
    allow_single_file = True,
    executable = True,
    cfg = "exec",
)

def _object(ctx):
    folder = [part for part in [ctx.label.workspace_root, ctx.label.package] if part]
    catalog = "/".join(folder + [ctx.attr.catalog])
    out = ctx.actions.declare_file(ctx.label.name + ".caro")
    args = ctx.actions.args()
    args.add("compile")
    args.add("--object")
    args.add(catalog + "/" + ctx.attr.group if ctx.attr.group else catalog)
    for group in ctx.attr.without:
        args.add("--without", catalog + "/" + group)
    if ctx.attr.strict:
        # A file that a Contents.json names and that is missing in the folder was not declared.
        args.add("--werror=missing-file")
    args.add_all(ctx.attr.settings)
    args.add("-o", out)
    ctx.actions.run(
        mnemonic = "CarveObject",
        progress_message = "Compiling %s" % ctx.label.name,
        executable = ctx.executable._carve,
        inputs = ctx.files.srcs,
        outputs = [out],
        arguments = [args],
        env = {},
    )
    return [DefaultInfo(files = depset([out])), CarveObjects(objects = [out])]

carve_object = rule(
    _object,
    doc = "A catalogue, or a group of one, compiled on its own.",
    attrs = {
        "catalog": attr.string(mandatory = True, doc = "The folder of the catalogue in this package."),
        "group": attr.string(doc = "A folder in the catalogue; without one all of it."),
        "without": attr.string_list(doc = "Folders in the catalogue that other objects hold."),
        "srcs": attr.label_list(allow_files = True, doc = "All files of it, with Contents.json of the folders above."),
        "settings": attr.string_list(doc = "Options that decide about bytes: the same for all that is linked."),
        "strict": attr.bool(default = True, doc = "Whether a missing file fails the build."),
        "_carve": _TOOL,
    },
)

def _archive(ctx):
    objects = []
    for dependency in ctx.attr.objects:
        objects += dependency[CarveObjects].objects
    outs = [ctx.outputs.out]
    args = ctx.actions.args()
    args.add("link")
    args.add_all(objects)
    args.add("-o", ctx.outputs.out)
    if ctx.outputs.header:
        outs.append(ctx.outputs.header)
        args.add("--c", ctx.outputs.header)
    args.add_all(ctx.attr.options)
    ctx.actions.run(
        mnemonic = "CarveLink",
        progress_message = "Linking %s" % ctx.label.name,
        executable = ctx.executable._carve,
        inputs = objects,
        outputs = outs,
        arguments = [args],
        env = {},
    )
    return [DefaultInfo(files = depset(outs))]

carve_archive = rule(
    _archive,
    doc = "The archive that compiling the catalogues of the objects in one step gives.",
    attrs = {
        "objects": attr.label_list(mandatory = True, providers = [CarveObjects], doc = "If several use a name, the first wins."),
        "out": attr.output(mandatory = True),
        "header": attr.output(doc = "Ids of the assets, for C."),
        "options": attr.string_list(doc = "More options of carve link, such as --werror."),
        "_carve": _TOOL,
    },
)

def carve_assets(name, catalogs, out = "Assets.car", header = None, settings = [], options = []):
    """Objects of catalogues and of some of their groups, and the archive of all.

    Args:
      name: the name of the archive's target; objects are called name_1, name_2 and so on.
      catalogs: folders of catalogues, each with the groups that are compiled apart.
      out: the file of the archive.
      header: a file for ids of the assets, for C.
      settings: options that decide about bytes, such as the platform.
      options: more options of carve link.
    """
    objects = []
    for catalog, groups in catalogs.items():
        for group in [None] + groups:
            # Groups may lie in one another; a group that is compiled separately is left out of the
            # group around it.
            prefix = group + "/" if group else ""
            without = [other for other in groups if other != group and other.startswith(prefix)]
            parents = []
            if group:
                folders = [catalog] + group.split("/")
                parents = ["/".join(folders[:count]) + "/Contents.json" for count in range(1, len(folders))]
            objects.append("%s_%d" % (name, len(objects) + 1))
            carve_object(
                name = objects[-1],
                catalog = catalog,
                group = group,
                without = without,
                settings = settings,
                srcs = native.glob(
                    ["%s/%s**" % (catalog, prefix)] + parents,
                    exclude = ["%s/%s/**" % (catalog, other) for other in without],
                ),
            )
    carve_archive(name = name, objects = objects, out = out, header = header, options = options)
