/**
 * Numbers in texts as Ruby's `Integer()` and `Float()` read them: the whole text or nothing, underscores between digits.
 */

/** @returns null for what is no integer of that base; base 10 takes the prefixes `0x`, `0b`, `0o` and `0` too */
export function integerOfText(text: string, base = 10): bigint | null {
  const digits = text.trim().replace(/(?<=[0-9a-fA-F])_(?=[0-9a-fA-F])/g, '');
  const found = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|[0-9a-zA-Z]+)$/.exec(digits);
  const parsed = found === null ? null : parsedDigits(found[2] ?? '', base);
  return parsed !== null && found?.[1] === '-' ? -parsed : parsed;
}

/** @returns null for what is no float; a sign before hexadecimal digits counts */
export function floatOfText(text: string): number | null {
  const plain = text.trim();
  const hexadecimal = /^([-+]?)(0[xX][0-9a-fA-F]+)$/.exec(plain);
  if (hexadecimal !== null) return Number(hexadecimal[2]) * (hexadecimal[1] === '-' ? -1 : 1);
  if (!/^[-+]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][-+]?\d+)?$/.test(plain)) return null;
  return Number(plain.replace(/_/g, ''));
}

function parsedDigits(text: string, base: number): bigint | null {
  const digits = text.toLowerCase();
  if (base === 10 && /^0[xbo]/.test(digits)) return BigInt(digits);
  if (base === 10 && /^0[0-7]+$/.test(digits)) return BigInt(`0o${digits.slice(1)}`);
  if (base === 10) return /^(?:0|[1-9]\d*)$/.test(digits) ? BigInt(digits) : null;
  const own = base === 16 ? digits.replace(/^0x/, '') : base === 2 ? digits.replace(/^0b/, '') : digits;
  let value = 0n;
  for (const digit of own) {
    const weight = Number.parseInt(digit, 36);
    if (Number.isNaN(weight) || weight >= base) return null;
    value = value * BigInt(base) + BigInt(weight);
  }
  return value;
}
