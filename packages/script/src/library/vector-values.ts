/**
 * Values of fields of vectors as scripts see them: `doc['v'].vectorValue`. They are no lists of values: none can be taken alone.
 */
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { illegalArgumentException, JavaException } from '../values/java-exception.ts';
import { JavaArray } from '../values/java-map.ts';
import { FieldValues } from './document-values.ts';

/** Where the vector of the present document comes from. */
export interface VectorReader {
  /** Numbers of every vector of the field. */
  readonly dims: number;
  /** What was read last stays until another document is the present one; null where that has none. */
  read(): Float32Array | null;
  /** Number of the present document, which tells it from others. */
  doc(): number;
}

export class VectorFieldValues extends FieldValues {
  readonly dims: number;
  readonly #vectors: VectorReader;
  #array: { readonly doc: number; readonly made: JavaArray } | null = null;

  constructor(vectors: VectorReader) {
    super('DenseVectors', { count: () => (vectors.read() === null ? 0 : 1), first: notTaken, value: notTaken });
    this.dims = vectors.dims;
    this.#vectors = vectors;
  }

  /** Numbers of the present document's vector. @throws JavaException where it has none */
  vector(): Float32Array {
    const vector = this.#vectors.read();
    if (vector !== null) return vector;
    throw illegalArgumentException("A document doesn't have a value for a vector field!");
  }

  override at(): unknown {
    return notTaken();
  }

  /** The vector as an array of floats, made once a document. */
  array(): JavaArray {
    const vector = this.vector();
    const doc = this.#vectors.doc();
    if (this.#array?.doc !== doc) this.#array = { doc, made: new JavaArray('float', [...vector]) };
    return this.#array.made;
  }
}

/** Length of a vector in space. */
export function magnitudeOf(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += Math.fround((vector[i] as number) ** 2);
  return Math.sqrt(sum);
}

function notTaken(): never {
  throw new JavaException(
    'java.lang.UnsupportedOperationException',
    "accessing a vector field's value through 'get' or 'value' is not supported!Use 'vectorValue' or 'magnitude' instead!",
  );
}

const LIST = 'java.util.List';

export const VECTOR_CLASSES: readonly ScriptClass[] = [
  scriptClass(
    'org.elasticsearch.xpack.vectors.query.DenseVectorScriptDocValues',
    [
      'org.elasticsearch.index.fielddata.ScriptDocValues',
      LIST,
      'java.util.Collection',
      'java.lang.Iterable',
      'java.lang.Object',
    ],
    {
      'float[] getVectorValue()': (_m, self: VectorFieldValues) => self.array(),
      'float getMagnitude()': (_m, self: VectorFieldValues) => Math.fround(magnitudeOf(self.vector())),
      'def getValue()': notTaken,
      'def get(int)': notTaken,
    },
  ),
];
