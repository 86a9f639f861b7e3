/**
 * Objects shared by the plugins of one pipeline in one thread: one object a class, created for the first that asks.
 *
 * For plugins whose several blocks work on the same things. It lives and ends with its pipeline; nothing of it is shared between
 * threads.
 */
export class SharedInstances {
  #things = new Map();
  get(kind) {
    const known = this.#things.get(kind);
    if (known instanceof kind) return known;
    const made = new kind();
    this.#things.set(kind, made);
    return made;
  }
}
