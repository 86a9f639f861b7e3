/**
 * Objects of the host that scripts may hold: dates, points, values of fields. They say what class they are of, and how they
 * print and compare.
 */
export abstract class ScriptObject {
  /** Canonical name of a class of the library. */
  abstract readonly javaClass: string;

  abstract text(): string;

  /** What it is in JSON: boxed values, or its text. */
  json(): unknown {
    return this.text();
  }

  equals(other: ScriptObject): boolean {
    return this === other;
  }

  /** What tells it from others as a key of a map: the same for all that are equal. */
  key(): unknown {
    return this;
  }

  /** Order among objects of its class; null where there is none. */
  compare(_other: ScriptObject): number | null {
    return null;
  }
}

/** Objects of the host that are lists, which scripts cannot change. */
export abstract class ScriptList extends ScriptObject {
  abstract items(): readonly unknown[];

  get length(): number {
    return this.items().length;
  }
}
