/**
 * One sketch for each bucket that has values, made when the first comes.
 */
export class BucketSketches<Sketch extends { readonly sizeBytes: number }> {
  private readonly sketches: (Sketch | undefined)[] = [];
  private readonly empty: () => Sketch;

  constructor(empty: () => Sketch) {
    this.empty = empty;
  }

  /** Number behind the last bucket that has values. */
  get length(): number {
    return this.sketches.length;
  }

  of(bucket: number): Sketch {
    const known = this.sketches[bucket];
    if (known !== undefined) return known;
    // An array with holes would become a table of hashes.
    while (this.sketches.length < bucket) this.sketches.push(undefined);
    const made = this.empty();
    this.sketches[bucket] = made;
    return made;
  }

  /** An empty one for a bucket without values. */
  at(bucket: number): Sketch {
    return this.sketches[bucket] ?? this.empty();
  }

  get memoryBytes(): number {
    let bytes = this.sketches.length * 8;
    for (const sketch of this.sketches) bytes += sketch?.sizeBytes ?? 0;
    return bytes;
  }
}
