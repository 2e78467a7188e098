"""Answers pip as a build backend with the name and version of PKG-INFO, so that fetching the
documents of a package builds nothing and runs none of its code."""

import os


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_editable(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with open("PKG-INFO", encoding="utf-8") as info:
        lines = info.read().split("\n\n")[0].split("\n")
    fields = dict(line.split(": ", 1) for line in lines if line.startswith(("Name: ", "Version: ")))
    folder = "%s-%s.dist-info" % (fields["Name"].replace("-", "_"), fields["Version"])
    os.makedirs(os.path.join(metadata_directory, folder))
    with open(os.path.join(metadata_directory, folder, "METADATA"), "w") as metadata:
        metadata.write("Metadata-Version: 2.1\nName: %(Name)s\nVersion: %(Version)s\n" % fields)
    return folder


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(*_, **__):
    raise NotImplementedError


build_sdist = build_editable = build_wheel


class __legacy__:
    get_requires_for_build_wheel = staticmethod(get_requires_for_build_wheel)
    prepare_metadata_for_build_wheel = staticmethod(prepare_metadata_for_build_wheel)
