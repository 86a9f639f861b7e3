/**
 * When which plugin of a worker ran, written down while a profile is taken: samples of the profile have times, and no
 * function on the stack says which of several plugins of one kind it works for.
 */

/** Entries of one profile; time after the last of them counts for its plugin. */
const ENTRIES_MAX = 1_000_000;

export class PluginTimeline {
  #times: number[] | null = null;
  #plugins: number[] = [];

  get isOpen(): boolean {
    return this.#times !== null;
  }

  /** `plugin` is what runs now; -1 for none. */
  open(atMs: number, plugin: number): void {
    this.#times = [atMs];
    this.#plugins = [plugin];
  }

  entered(atMs: number, plugin: number): void {
    if (this.#times === null || this.#times.length >= ENTRIES_MAX) return;
    this.#times.push(atMs);
    this.#plugins.push(plugin);
  }

  /** Ends the writing. The function that it gives says what ran at a time. */
  close(): (atMs: number) => number {
    const [times, plugins] = [this.#times ?? [], this.#plugins];
    this.#times = null;
    this.#plugins = [];
    return (atMs) => {
      let [low, high] = [0, times.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((times[middle] ?? 0) <= atMs) low = middle + 1;
        else high = middle;
      }
      return plugins[low - 1] ?? -1;
    };
  }
}
