/** The class of what `grok` and `dissect` make: it takes a text apart into named values. */
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import { nullPointer } from '../values/java-exception.ts';
import { JavaMap } from '../values/java-map.ts';
import { ScriptObject } from '../values/script-object.ts';

export const EXTRACTOR_CLASS = 'org.elasticsearch.runtimefields.mapper.NamedGroupExtractor';

export class ScriptExtractor extends ScriptObject {
  readonly javaClass: string = EXTRACTOR_CLASS;
  readonly #valuesOf: (text: string) => ReadonlyMap<string, unknown> | null;

  /** @param valuesOf boxed values by name; null where the text does not fit */
  constructor(valuesOf: (text: string) => ReadonlyMap<string, unknown> | null) {
    super();
    this.#valuesOf = valuesOf;
  }

  text(): string {
    return this.javaClass;
  }

  extract(machine: ScriptMachine, text: string | null): JavaMap | null {
    if (text === null) throw nullPointer();
    const values = this.#valuesOf(text);
    if (values === null) return null;
    machine.grow(text.length);
    const map = new JavaMap();
    for (const [name, value] of values) map.set(name, value);
    return map;
  }
}

export const EXTRACTOR_CLASSES: readonly ScriptClass[] = [
  scriptClass(EXTRACTOR_CLASS, ['java.lang.Object'], {
    'Map extract(String)': (machine, self: ScriptExtractor, text: string | null) => self.extract(machine, text),
  }),
];
