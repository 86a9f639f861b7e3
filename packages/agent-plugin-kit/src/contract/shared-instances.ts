/**
 * What the instances of one pipeline in one thread have in common: of each class one object, made for whoever asks first.
 *
 * For plugins whose several blocks work on the same things. It lives and ends with its pipeline; nothing of it is shared between
 * threads.
 */
export class PluginCommons {
  readonly #things = new Map<abstract new () => object, object>();

  of<T extends object>(kind: new () => T): T {
    const known = this.#things.get(kind);
    if (known instanceof kind) return known;
    const made = new kind();
    this.#things.set(kind, made);
    return made;
  }
}
