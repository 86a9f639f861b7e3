/**
 * Secret of a thread's hash tables over what users send: without it terms and numbers could be chosen that all stand in one
 * place of a table, and each look-up would go through all of them.
 *
 * Nothing that is answered or written depends on it.
 */

/** Words that only the thread knows. Not to be written to. */
export type HashSecret = Uint32Array;

const SECRET_WORDS = 6;

/** Known to everybody: for tests and tools. */
export const OPEN_SECRET: HashSecret = Uint32Array.of(
  0x3c6e_f372,
  0xa54f_f53a,
  0x510e_527f,
  0x9b05_688c,
  0x1f83_d9ab,
  0x5be0_cd19,
);

/** Draws a secret. `random`: of the thread's runtime. */
export function drawHashSecret(random: { u32(): number }): HashSecret {
  return Uint32Array.from({ length: SECRET_WORDS }, () => random.u32());
}
