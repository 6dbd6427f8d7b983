"""What the instruction tables say wrongly or not at all, and constants of the instruction encodings."""

import functools

OVERRIDE = {  # base name -> pseudocode in the same language (fixes AMD's text or names a helper below)
    **{
        f"V_{m}_{o}F{n}": f"D0.f{n} = v_{m.lower()}_f{n}(S0.f{n}, S1.f{n})"
        for m in ("MIN", "MAX")
        for n in (16, 32, 64)
        for o in ("", "NUM_")
    },
    **{
        f"S_{m}_F{n}": f"D0.f{n} = v_{m.lower()}_f{n}(S0.f{n}, S1.f{n})"
        for m in ("MIN", "MAX")
        for n in (16, 32)
    },
    **{
        f"V_MAD_LEGACY_{t}16": f"D0.{t.lower()}16 = S0.{t.lower()}16 * S1.{t.lower()}16 + S2.{t.lower()}16"
        for t in "UI"
    },
    **{f"V_{m}_LEGACY_F16": "D0.f16 = fma(S0.f16, S1.f16, S2.f16)" for m in ("FMA", "MAD")},
    **{
        f"V_{m}3_F{n}": f"D0.f{n} = v_{m.lower()}3_f{n}(S0.f{n}, S1.f{n}, S2.f{n})"
        for m in ("MIN", "MAX")
        for n in (16, 32)
    },
}
PYOPS = {  # base name -> Python on raw S0.., writing D0 (and mVCC)
    **{f"V_RNDNE_F{n}": f"D0=to_bits(rne_(from_bits(S0,{n})),{n})" for n in (16, 32, 64)},
    **{
        f"V_CEIL_F{n}": f"x=from_bits(S0,{n}); D0=to_bits(math.copysign(float(math.ceil(x)),x) if math.isfinite(x) else x,{n})"
        for n in (16, 32, 64)
    },
    **{
        f"V_MED3_F{n}": f"D0=to_bits(med3(from_bits(S0,{n}),from_bits(S1,{n}),from_bits(S2,{n})),{n})"
        for n in (16, 32)
    },
    **{
        f"V_RCP_{p}F{n}": f"D0=to_bits(rounded(fdiv(1.0,from_bits(S0,{n})),{n}),{n})"
        for n in (16, 32, 64)
        for p in ("", "IFLAG_")
    },
    **{
        f"V_RSQ_F{n}": f"D0=to_bits(rounded(fdiv(1.0,sqrt_(from_bits(S0,{n}))),{n}),{n})"
        for n in (16, 32, 64)
    },
    **{
        f"V_DIV_SCALE_F{n}": f"x,y=div_scale(from_bits(S0,{n}),from_bits(S1,{n}),from_bits(S2,{n}),{n}); D0=to_bits(x,{n}); mVCC|=y<<l"
        for n in (32, 64)
    },
    **{
        f"V_DIV_FIXUP_F{n}": f"D0=to_bits(div_fixup(from_bits(S0,{n}),from_bits(S1,{n}),from_bits(S2,{n}),{n}),{n})"
        for n in (16, 32, 64)
    },
    **{
        f"V_DIV_FMAS_F{n}": f"x=fma(from_bits(S0,{n}),from_bits(S1,{n}),from_bits(S2,{n}),{n}); "
        f"D0=to_bits(rounded(ldexp_(x,{k} if expo(from_bits(S2,{n}),{n})>{b} else -{k}) if VCCr>>l&1 else x,{n}),{n})"
        for n, k, b in ((32, 64, 127), (64, 128, 1023))
    },
    **{
        f"V_FREXP_EXP_I32_F{n}": f"x=from_bits(S0,{n}); D0=(math.frexp(x)[1]&M32) if math.isfinite(x) else 0"
        for n in (32, 64)
    },
    "V_CVT_PK_RTZ_F16_F32": "D0=rtz16(from_bits(S0,32))|rtz16(from_bits(S1,32))<<16",
    "V_CVT_PKRTZ_F16_F32": "D0=rtz16(from_bits(S0,32))|rtz16(from_bits(S1,32))<<16",
    "V_PERM_B32": "D0=perm(S0,S1,S2)",
    "V_PK_MOV_B32": "D0=(S0&M32)|(S1&M32)<<32",
    "V_NOT_B32": "D0=~S0&M32",
    "V_MOV_B32": "D0=S0",
}
NOPS = {
    "S_NOP",
    "S_WAITCNT_DEPCTR",
    "S_DELAY_ALU",
    "S_CLAUSE",
    "S_SLEEP",
    "S_SETPRIO",
    "S_SET_INST_PREFETCH_DISTANCE",
    "S_INST_PREFETCH",
    "S_SENDMSG",
    "S_CODE_END",
    "S_ICACHE_INV",
    "S_DCACHE_INV",
    "S_DCACHE_WB",
    "S_GL1_INV",
    "S_WAITCNT_EXPCNT",
    "S_VERSION",
    "S_WAIT_IDLE",
    "S_INCPERFLEVEL",
    "S_DECPERFLEVEL",
    "S_TTRACEDATA",
    "S_WAIT_EVENT",
}
F_INLINE = {
    240: 0.5,
    241: -0.5,
    242: 1.0,
    243: -1.0,
    244: 2.0,
    245: -2.0,
    246: 4.0,
    247: -4.0,
    248: 0.15915494309189532,
}
SHARED_HI, PRIVATE_HI = 0x10000, 0x20000  # high dwords of the flat apertures


@functools.lru_cache(None)
def lanes(mask):
    return tuple(i for i in range(64) if mask >> i & 1)
