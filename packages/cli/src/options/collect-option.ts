/**
 * An option that may be given several times: commander calls this for each.
 */

export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
