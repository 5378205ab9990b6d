import fc from 'fast-check'

/** Any character of Unicode. Like the unit `binary` of fast-check, which takes seconds to list them all. */
export const anyCharacter = fc
  .nat(0x10ffff - 0x800)
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800))
