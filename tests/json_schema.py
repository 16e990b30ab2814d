"""What of JSON Schema the published schemas use, to validate what is written."""

import re

ANNOTATIONS = {"title", "description", "default", "$defs", "$schema", "format"}
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def errors(schema, value, whole=None, at="$"):
    """Give the places where a value does not fit a schema, with the word that says it.

    A word of a schema that is not known here is an error: nothing is passed over.
    """
    whole = schema if whole is None else whole
    if not _is_type(schema.get("type"), value):
        yield f"{at}: type"
        return
    for word, said in schema.items():
        if word in ANNOTATIONS or word == "type":
            continue
        if word == "$ref":
            inner = whole
            for part in said.removeprefix("#/").split("/"):
                inner = inner[part]
            yield from errors(inner, value, whole, at)
        elif word in ("anyOf", "oneOf"):
            if all(any(errors(each, value, whole, at)) for each in said):
                yield f"{at}: {word}"
        elif word in _OF_PARTS:
            yield from _OF_PARTS[word](schema, said, value, whole, at)
        elif not _HOLDS[word](said, value):
            yield f"{at}: {word}"


def _is_type(said, value):
    if said is None:
        return True
    if isinstance(value, bool):
        return said == "boolean"
    return isinstance(value, TYPES[said])


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_HOLDS = {
    "const": lambda said, value: value == said,
    "enum": lambda said, value: value in said,
    "required": lambda said, value: set(said) <= set(value),
    "minimum": lambda said, value: not _is_number(value) or value >= said,
    "maximum": lambda said, value: not _is_number(value) or value <= said,
    "exclusiveMinimum": lambda said, value: not _is_number(value) or value > said,
    "exclusiveMaximum": lambda said, value: not _is_number(value) or value < said,
    "minLength": lambda said, value: len(value) >= said,
    "maxLength": lambda said, value: len(value) <= said,
    "minItems": lambda said, value: len(value) >= said,
    "maxItems": lambda said, value: len(value) <= said,
    "pattern": lambda said, value: re.search(said, value) is not None,
}


def _properties(_schema, said, value, whole, at):
    for name, each in said.items():
        if name in value:
            yield from errors(each, value[name], whole, f"{at}.{name}")


def _additional(schema, said, value, whole, at):
    for name in value.keys() - schema.get("properties", {}).keys():
        if said is False:
            yield f"{at}.{name}: additionalProperties"
        elif said is not True:
            yield from errors(said, value[name], whole, f"{at}.{name}")


def _items(schema, said, value, whole, at):
    for number, each in enumerate(value[len(schema.get("prefixItems", ())) :]):
        yield from errors(said, each, whole, f"{at}[{number}]")


def _prefix(_schema, said, value, whole, at):
    for number, (inner, each) in enumerate(zip(said, value, strict=False)):
        yield from errors(inner, each, whole, f"{at}[{number}]")


_OF_PARTS = {
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "prefixItems": _prefix,
}
