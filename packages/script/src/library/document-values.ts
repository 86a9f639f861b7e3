/**
 * Values of the fields of a document as scripts see them: `doc['price'].value`. Who runs scripts over documents says where the
 * values come from.
 */
import { illegalArgumentException, indexOutOfBounds, JavaException } from '../values/java-exception.ts';
import { JavaMap } from '../values/java-map.ts';
import { textOf } from '../values/java-text.ts';
import { ScriptList, ScriptObject } from '../values/script-object.ts';

export type FieldValuesClass = 'Longs' | 'Doubles' | 'Strings' | 'Booleans' | 'Dates' | 'GeoPoints' | 'DenseVectors';

const PREFIX = 'org.elasticsearch.index.fielddata.ScriptDocValues.';
/** One text for each class, so that two of them are told apart by a look at where they stand. */
const CLASS_NAMES: Readonly<Record<FieldValuesClass, string>> = {
  Longs: `${PREFIX}Longs`,
  Doubles: `${PREFIX}Doubles`,
  Strings: `${PREFIX}Strings`,
  Booleans: `${PREFIX}Booleans`,
  Dates: `${PREFIX}Dates`,
  GeoPoints: `${PREFIX}GeoPoints`,
  DenseVectors: 'org.elasticsearch.xpack.vectors.query.DenseVectorScriptDocValues',
};

/** Where the values of a field come from: those of the present document, boxed and in order. */
export interface FieldValuesReader {
  count(): number;
  /** undefined where there is none. */
  first(): unknown;
  /** @param index below the count */
  value(index: number): unknown;
}

/** Values of one field of the present document. */
export class FieldValues extends ScriptList {
  readonly kind: FieldValuesClass;
  readonly javaClass: string;
  readonly #reader: FieldValuesReader;

  constructor(kind: FieldValuesClass, reader: FieldValuesReader) {
    super();
    this.kind = kind;
    this.javaClass = CLASS_NAMES[kind];
    this.#reader = reader;
  }

  override get length(): number {
    return this.#reader.count();
  }

  items(): readonly unknown[] {
    return Array.from({ length: this.length }, (_, index) => this.#reader.value(index));
  }

  /** @throws JavaException where the document has no value */
  first(): unknown {
    const value = this.#reader.first();
    if (value !== undefined) return value;
    throw new JavaException(
      'java.lang.IllegalStateException',
      "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!",
    );
  }

  at(index: number): unknown {
    const { length } = this;
    if (length === 0) return this.first();
    if (index >= 0 && index < length) return this.#reader.value(index);
    throw indexOutOfBounds(`Index ${index} out of bounds for length ${length}`);
  }

  text(): string {
    return `[${this.items()
      .map((item) => textOf(item))
      .join(', ')}]`;
  }
}

/** `doc`: fields by name, found when they are asked for. What was found stays, whatever document is the present one. */
export class DocumentFields extends JavaMap {
  readonly #known = new Map<string, FieldValues | null>();
  readonly #find: (name: string) => FieldValues | null;

  /** @param find null: the mapping has no such field */
  constructor(find: (name: string) => FieldValues | null) {
    super('java.util.HashMap');
    this.#find = find;
  }

  #field(name: string): FieldValues | null {
    let field = this.#known.get(name);
    if (field === undefined) {
      field = this.#find(name);
      this.#known.set(name, field);
    }
    return field;
  }

  override get(key: unknown): unknown {
    return this.field(textOf(key));
  }

  /** @throws JavaException for a field that the mapping does not have */
  field(name: string): FieldValues {
    const field = this.#field(name);
    if (field === null) throw illegalArgumentException(`No field found for [${name}] in mapping`);
    return field;
  }

  override has(key: unknown): boolean {
    return this.#field(textOf(key)) !== null;
  }

  override set(): unknown {
    throw new JavaException('java.lang.UnsupportedOperationException', null);
  }

  override delete(): unknown {
    throw new JavaException('java.lang.UnsupportedOperationException', null);
  }

  override clear(): void {
    throw new JavaException('java.lang.UnsupportedOperationException', null);
  }
}

/** A point of the globe, in degrees. */
export class ScriptPoint extends ScriptObject {
  readonly javaClass = 'org.elasticsearch.common.geo.GeoPoint';
  readonly lat: number;
  readonly lon: number;

  constructor(lat: number, lon: number) {
    super();
    this.lat = lat;
    this.lon = lon;
  }

  text(): string {
    return `${textOf(this.lat)}, ${textOf(this.lon)}`;
  }

  override json(): unknown {
    return JavaMap.of({ lat: this.lat, lon: this.lon });
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof ScriptPoint && other.lat === this.lat && other.lon === this.lon;
  }
}
