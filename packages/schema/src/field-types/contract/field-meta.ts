/**
 * `meta` of a field: a few short texts, notes of users.
 */
import { asObject, javaClassOf, javaPrinted } from '../../declaration/json-object.ts';
import { mapperParsing } from '../../declaration/mapping-error.ts';

const ENTRIES_MAX = 5;
const KEY_CHARS_MAX = 20;
const VALUE_CHARS_MAX = 50;

/** @throws ShoalError mapper_parsing_exception */
export function readMeta(value: unknown, { name }: { readonly name: string }): unknown {
  const meta = asObject(value);
  if (meta === null) throw mapperParsing(`[meta] must be an object, got ${shown(value)} for field [${name}]`);
  const entries = Object.entries(meta);
  if (entries.length > ENTRIES_MAX) {
    throw mapperParsing(
      `[meta] can't have more than ${ENTRIES_MAX} entries, but got ${entries.length} on field [${name}]`,
    );
  }
  const long = entries.find(([key]) => key.length > KEY_CHARS_MAX);
  if (long !== undefined) {
    throw mapperParsing(
      `[meta] keys can't be longer than ${KEY_CHARS_MAX} chars, but got [${long[0]}] for field [${name}]`,
    );
  }
  for (const [, note] of entries) checkNote(name, note);
  return value;
}

function checkNote(name: string, note: unknown): void {
  if (note === null) throw mapperParsing(`[meta] values can't be null (field [${name}])`);
  if (typeof note !== 'string') {
    throw mapperParsing(`[meta] values can only be strings, but got ${shown(note)} for field [${name}]`);
  }
  if (note.length > VALUE_CHARS_MAX) {
    throw mapperParsing(
      `[meta] values can't be longer than ${VALUE_CHARS_MAX} chars, but got [${note}] for field [${name}]`,
    );
  }
}

/** Simple name of its class in Java, and the value. */
function shown(value: unknown): string {
  return `${javaClassOf(value).split('.').at(-1)}[${javaPrinted(value)}]`;
}
