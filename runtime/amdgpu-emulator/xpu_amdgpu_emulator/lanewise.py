"""A loop over lanes as Python source, and as a comprehension where all lanes are active.

A vector instruction is a list of statements that a loop runs for each active lane. Most are plain assignments of which the
last writes a register: those run several times faster as one list comprehension over the source registers.
"""

import re

ASSIGN = re.compile(r"([A-Za-z_]\w*|v\[\d+\]\[l\])=(?!=)(.*)")
LANE = re.compile(r"\bv\[(\d+)\]\[l\]")
MASK = re.compile(r"if (.*): m(\w+)\|=1<<l")
CARRY = re.compile(r"m(VCC)\|=(\(.*\))<<l")
BITS = tuple(1 << i for i in range(64))
MASK32 = "0xffffffff"
HEXADECIMAL = tuple("0123456789abcdef")
UNUSED = ("VCCr=w.vcc()", "mVCC=0", "mD0=mEXEC=0")


def lane_loop(pre, body, post, ws, mask=None):
    """`pre`, then `body` for every active lane `l` in the order of `mask`, then `post`."""
    text = "\n".join(body + post)
    pre = [
        x
        for x in pre
        if x not in UNUSED or re.search(rf"\b{re.split('[=]', x)[0]}\b", text) or x == UNUSED[2]
    ]
    if not any("mVCC" in x for x in post):
        body = [x for x in body if not CARRY.fullmatch(x)]
    body = live(body, re.findall(r"\w+", "\n".join(post)))
    loop = [f"for l in {mask or 'lanes(ex)'}:"] + ["    " + x for x in body]
    constants = dict(m.groups() for m in map(re.compile(r"(S\d)=\(?(\d+)\)?").fullmatch, pre) if m)
    fast = None if mask else comprehension(body, ws, constants)
    if fast is not None:
        loop = (
            [f"if ex=={(1 << ws) - 1}:"] + ["    " + x for x in fast] + ["else:"] + ["    " + x for x in loop]
        )
    return [read_exec(ws)] + pre + loop + post


def read_exec(ws):
    return "ex=s[126]|s[127]<<32" if ws == 64 else "ex=s[126]"


def comprehension(body, ws, constants):
    """The statements of `body` for all lanes at once, or nothing if it is not of that shape."""
    steps, results, mask, names = [], [], None, {}
    for i, line in enumerate(body):
        m = MASK.fullmatch(line) or CARRY.fullmatch(line)
        if m:
            name, condition = (m[2], m[1]) if m.re is MASK else (m[1], m[2])
            if mask or re.search(r"\bm(D0|EXEC|VCC)\b", condition):
                return None
            mask = name
            steps.append(("c_", rename(condition, names)))
            continue
        m = ASSIGN.fullmatch(line)
        if not m or ";" in line or ":=" in line or "w.dpp" in line:
            return None
        value = rename(m[2], names)
        if m[1].startswith("v["):
            results.append((m[1][:-3], value))
        elif results or m[1] == "l" or re.fullmatch(r"a\d+_", m[1]):
            return None
        else:
            steps.append((m[1], value))
    if not results and mask is None:
        return None
    # a plain copy of a register or a number is read in place
    known, kept = dict(constants), []
    for name, value in steps:
        value = replace(value, known)
        known.pop(name, None)
        if re.fullmatch(r"\(?(a\d+_|\d+)\)?", value):
            known[name] = value.strip("()")
        else:
            kept.append((name, value))
    if any(re.fullmatch(r"a\d+_|\d+", v) and any(n == k for n, _ in kept) for k, v in known.items()):
        return None
    sources = list(names.items())
    values = [shorten(replace(v, known)) for _, v in results]
    kept, values = inline([(n, shorten(v)) for n, v in kept], values)
    if re.search(r"\bl\b", " ".join([v for _, v in kept] + values)):
        sources.append(("l", f"range({ws})"))
    if not sources:
        sources = [("l", f"range({ws})")]
    if len(sources) == 1:
        head = f"for {sources[0][0]} in {sources[0][1]}"
    else:
        head = f"for {','.join(n for n, _ in sources)} in zip({','.join(s for _, s in sources)})"
    chain = "".join(f" for {n} in ({v},)" for n, v in kept)
    condition = known.get("c_", "c_")
    if mask and kept and kept[-1][0] == "c_":  # the condition as the value of the comprehension
        condition, kept = kept[-1][1], kept[:-1]
        chain = "".join(f" for {n} in ({v},)" for n, v in kept)
    if mask and not results:
        return [f"m{mask}=lane_mask([{condition} {head}{chain}])"]
    if (
        mask
        and kept
        and values == [f"(({kept[-1][0]}&0xffffffff))"]
        and condition == f"(1 if (1 if {kept[-1][0]}>=4294967296 else 0) else 0)"
    ):
        chain = "".join(f" for {n} in ({v},)" for n, v in kept[:-1])  # a sum and its carry
        return [
            f"q_=[{kept[-1][1]} {head}{chain}]",
            f"{results[0][0]}=[x&0xffffffff for x in q_]",
            f"m{mask}=lane_mask([x>>32 for x in q_]) if max(q_)>>32 else 0",
        ]
    if mask:
        values.append(condition)
    if not names and not kept and len(values) == 1 and not re.search(r"\bl\b", values[0]):
        return [f"{results[0][0]}=[{values[0]}]*{ws}"]
    halves = re.fullmatch(r"(\w+)>>0&0xffffffff,\1>>32&0xffffffff", ",".join(values))
    if halves and kept and kept[-1][0] == halves[1]:  # a 64-bit result, split afterwards
        chain = "".join(f" for {n} in ({v},)" for n, v in kept[:-1])
        return [
            f"q_=[{kept[-1][1]} {head}{chain}]",
            f"{results[0][0]}=[x&0xffffffff for x in q_]",
            f"{results[1][0]}=[x>>32&0xffffffff for x in q_]",
        ]
    if len(values) == 1:
        return [f"{results[0][0]}=[{values[0]} {head}{chain}]"]
    out = [f"q_=[({','.join(values)}) {head}{chain}]"] + [
        f"{r}=[x[{i}] for x in q_]" for i, (r, _) in enumerate(results)
    ]
    return out + ([f"m{mask}=lane_mask([x[-1] for x in q_])"] if mask else [])


def lane_mask(bits):
    """Truth values of the lanes as a mask."""
    if not any(bits):
        return 0
    if all(bits):
        return (1 << len(bits)) - 1
    return sum([b for b, x in zip(BITS, bits) if x])


def rename(text, names):
    """Reads of `v[R][l]` as a loop variable of their own."""

    def one(m):
        name = f"a{m[1]}_"
        names[name] = f"v[{m[1]}]"
        return name

    return LANE.sub(one, text)


def replace(text, known):
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda m: known.get(m[0], m[0]), text)


def shorten(text):
    """Without a mask of 32 bits around what is masked by it already."""
    text = re.sub(r"\bM32\b", MASK32, text)
    at = 0
    while (at := text.find(f")&{MASK32}", at)) >= 0:
        end = at + 2 + len(MASK32)
        begin = opening(text, at)
        whole = begin == 0 or text[begin - 1] in "([,"  # not the end of a longer operand
        if whole and text[end : end + 1] not in HEXADECIMAL and is_masked(text[begin : at + 1]):
            text = text[: at + 1] + text[end:]
        at += 1
    return text


def opening(text, close):
    """Where the parenthesis is opened that closes at `close`."""
    depth = 0
    for i in range(close, -1, -1):
        depth += (text[i] == ")") - (text[i] == "(")
        if depth == 0:
            return i
    return 0


def is_masked(text):
    """Whether the last operation of a parenthesized expression is the mask of 32 bits."""
    while text.startswith("(") and text.endswith(")") and opening(text, len(text) - 1) == 0:
        text = text[1:-1]
    if not text.endswith(f"&{MASK32}"):
        return False
    depth, outside = 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        outside += c if depth == 0 else ""
    # everything else outside of parentheses has to bind more tightly
    return not re.search(r"[|^=!,]| (if|else|or|and|not|in) |(?<!<)<(?!<)|(?<!>)>(?!>)", outside)


def live(body, results):
    """The statements without assignments to variables that nothing reads."""
    while True:
        text = "\n".join(body)
        dead = [
            i
            for i, x in enumerate(body)
            if (m := re.match(r"([A-Za-z_]\w*)=[^=]", x))
            and m[1] not in results
            and len(re.findall(rf"\b{m[1]}\b", text)) == sum(x.startswith(m[1] + "=") for x in body)
        ]
        if not dead:
            return body
        body = [x for i, x in enumerate(body) if i not in dead]


def inline(kept, values):
    """Puts variables that are read once where they are read."""
    i = 0
    while i < len(kept):
        name, value = kept[i]
        word = re.compile(rf"\b{name}\b")
        later = [v for _, v in kept[i + 1 :]] + values
        again = any(n == name for n, _ in kept[i + 1 :]) or any(n == name for n, _ in kept[:i])
        if again or sum(len(word.findall(v)) for v in later) != 1 or name == "c_":
            i += 1
            continue
        put = lambda v: word.sub(lambda _: f"({value})", v)
        # what the value reads may not be assigned in between
        users = [k for k, (_, v) in enumerate(kept) if k > i and word.search(v)]
        until = users[0] if users else len(kept)
        if any(re.search(rf"\b{n}\b", value) for n, _ in kept[i + 1 : until]):
            i += 1
            continue
        kept = kept[:i] + [(n, shorten(put(v))) for n, v in kept[i + 1 :]]
        values = [shorten(put(v)) for v in values]
    return kept, values
