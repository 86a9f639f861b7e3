/**
 * All settings of one kind of program (a node, an agent): reads what users gave, refuses what it does not know.
 */
import { assert } from '../errors/assert.ts';
import { illegalArgument } from '../errors/error-catalogue.ts';
import type { ShoalError } from '../errors/shoal-error.ts';
import { nearestNames } from './edit-distance.ts';
import type { SettingDefinition } from './setting-definition.ts';

type AnySetting = SettingDefinition<unknown>;

/** Nesting of the maps that users may write instead of dotted names. */
const DEPTH_MAX = 16;

export class SettingsRegistry {
  readonly #byName: ReadonlyMap<string, AnySetting>;
  readonly #groups: readonly AnySetting[];

  constructor(definitions: readonly AnySetting[]) {
    const byName = new Map<string, AnySetting>();
    for (const definition of definitions) {
      for (const name of [definition.name, ...definition.aliases]) {
        assert(!byName.has(name), `setting ${name} is declared twice`);
        byName.set(name, definition);
      }
    }
    this.#byName = byName;
    this.#groups = definitions.filter((definition) => definition.name.endsWith('*'));
  }

  /** Every declared name and alias; groups end in `*`. */
  names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** The setting of a full name, an alias, or a name within a group; null when there is none. */
  find(name: string): AnySetting | null {
    return this.#byName.get(name) ?? this.#groups.find((group) => name.startsWith(group.name.slice(0, -1))) ?? null;
  }

  /**
   * What users gave, nested or dotted, as checked settings.
   *
   * @throws illegal_argument_exception for an unknown name (with the nearest known ones) or a bad value
   */
  parse(given: Readonly<Record<string, unknown>>): Settings {
    const texts = new Map<string, string>();
    for (const [name, text] of flattenSettings(given)) {
      const definition = this.find(name);
      if (definition === null) throw this.unknown(name);
      const shown = definition.name.endsWith('*') ? name : definition.name;
      const before = texts.get(shown);
      if (before !== undefined && before !== text) {
        throw illegalArgument(`setting [${shown}] is given twice: [${before}] and, as [${name}], [${text}]`);
      }
      definition.parse(text, name);
      texts.set(shown, text);
    }
    return new Settings(texts);
  }

  /** The error of a name that is not declared. */
  unknown(name: string): ShoalError {
    const near = nearestNames(name, this.#byName.keys());
    if (near.length === 0) return illegalArgument(`unknown setting [${name}]`);
    const guess = near.length === 1 ? `[${near[0]}]` : `any of [${near.join(', ')}]`;
    return illegalArgument(`unknown setting [${name}] did you mean ${guess}?`);
  }
}

/** Checked settings: typed values by definition. */
export class Settings {
  readonly #texts: ReadonlyMap<string, string>;

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** The value, or the default. */
  get<T>(definition: SettingDefinition<T>): T {
    return definition.parse(this.#texts.get(definition.name) ?? definition.defaultText, definition.name);
  }

  /** True when the user set it, also if to the default. */
  isSet(definition: SettingDefinition<unknown>): boolean {
    return this.#texts.has(definition.name);
  }

  /** Names that the user gave for a setting: its own, or those within its group. */
  namesGiven({ name }: SettingDefinition<unknown>): readonly string[] {
    if (!name.endsWith('*')) return this.#texts.has(name) ? [name] : [];
    return [...this.#texts.keys()].filter((given) => given.startsWith(name.slice(0, -1)));
  }

  /** Values set within a group such as `node.attr.*`, by the rest of the name. */
  group(definition: SettingDefinition<string>): Readonly<Record<string, string>> {
    const prefix = definition.name.slice(0, -1);
    const entries = [...this.#texts].filter(([name]) => name.startsWith(prefix));
    return Object.fromEntries(entries.map(([name, text]) => [name.slice(prefix.length), text]));
  }

  /** Values that the user set, by full name, sorted. */
  toFlat(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#texts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Nested maps as dotted names, lists as comma-separated text, null and undefined as not given. */
export function flattenSettings(given: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  flattenInto(texts, given, '', 0);
  return texts;
}

function flattenInto(
  texts: Map<string, string>,
  given: Readonly<Record<string, unknown>>,
  prefix: string,
  depth: number,
): void {
  if (depth > DEPTH_MAX) throw illegalArgument(`settings under [${prefix}] are nested deeper than ${DEPTH_MAX}`);
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const name = prefix + key;
    if (Array.isArray(value)) texts.set(name, value.map((item) => String(item)).join(','));
    else if (typeof value === 'object') {
      flattenInto(texts, value as Readonly<Record<string, unknown>>, `${name}.`, depth + 1); // Checked: a map.
    } else texts.set(name, String(value));
  }
}
