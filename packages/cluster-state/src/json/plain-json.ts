/**
 * Free-form JSON that another node sent, such as its part of `_nodes/stats`: copied into plain values within limits.
 *
 * Only for what is printed as it came. What the program acts on has a reader that names its fields.
 */
import { type ItemReader, ValueReader } from '@shoal/core';

export type PlainObject = Readonly<Record<string, unknown>>;

/** A mapping of 20 nested objects, each under its `properties`, must pass. */
const DEPTH_MAX = 64;
/** Values in one document, containers included. */
const VALUES_MAX = 1_000_000;

/** A map of JSON values (strings, numbers, booleans, null, lists, maps). */
export const readPlainObject: ItemReader<PlainObject> = (value, field) => {
  const copy = new PlainCopy();
  ValueReader.of(value, field);
  try {
    return copy.map(value as PlainObject);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return new ValueReader({ [`${field}${copy.pathText()}`]: '…' }).refuse(`${field}${copy.pathText()}`, error.wanted);
  }
};

/** What stands at the copy's path is none of the values that may stand there. */
class NotPlain extends Error {
  readonly wanted: string;

  constructor(wanted: string) {
    super(wanted);
    this.wanted = wanted;
  }
}

class PlainCopy {
  /** Keys and positions of the value that is being copied: a text of them is made for an error alone. */
  private readonly path: (string | number)[] = [];
  private left = VALUES_MAX;

  pathText(): string {
    return this.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  }

  map(value: PlainObject): PlainObject {
    const { path } = this;
    const out: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      path.push(key);
      const copied = this.value(value[key]);
      path.pop();
      if (key === '__proto__') {
        // Defined, not assigned: it must stay a key.
        Object.defineProperty(out, key, { value: copied, enumerable: true, writable: true, configurable: true });
      } else {
        out[key] = copied;
      }
    }
    return out;
  }

  private value(value: unknown): unknown {
    if (this.left-- <= 0 || this.path.length > DEPTH_MAX)
      throw new NotPlain(`a document of depth ${DEPTH_MAX} at most`);
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'bigint':
      case 'number':
        return value;
      case 'object':
        if (value === null) return value;
        if (Array.isArray(value)) return this.list(value);
        // A map: bytes are the only other objects that a message holds.
        if (!ArrayBuffer.isView(value)) return this.map(value as PlainObject);
        break;
      default:
    }
    throw new NotPlain('a JSON value');
  }

  private list(items: readonly unknown[]): unknown[] {
    const { path } = this;
    const out: unknown[] = [];
    for (let i = 0; i < items.length; i++) {
      path.push(i);
      out.push(this.value(items[i]));
      path.pop();
    }
    return out;
  }
}
