/**
 * Order of what one cluster manager does in a repository: snapshots are copied side by side, garbage is removed alone, and the index
 * is changed by one at a time. First come, first served.
 */

/** Gives the lock back. Called once. */
export type Unlock = () => void;

interface Waiting {
  readonly isShared: boolean;
  readonly begin: (unlock: Unlock) => void;
}

class SharedLock {
  #shared = 0;
  #isExclusive = false;
  readonly #waiting: Waiting[] = [];

  take(isShared: boolean): Promise<Unlock> {
    return new Promise((begin) => {
      this.#waiting.push({ isShared, begin });
      this.#next();
    });
  }

  #next(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined || this.#isExclusive || (!first.isShared && this.#shared > 0)) return;
      this.#waiting.shift();
      if (first.isShared) this.#shared++;
      else this.#isExclusive = true;
      first.begin(() => {
        if (first.isShared) this.#shared--;
        else this.#isExclusive = false;
        this.#next();
      });
    }
  }
}

export class RepositoryLocks {
  /** Locks of the folders of indices, by repository. */
  readonly #blobs = new Map<string, SharedLock>();
  /** Locks of the index file, by repository. */
  readonly #indices = new Map<string, SharedLock>();

  /** While `work` copies into the repository nothing is removed from it. */
  copying<T>(repository: string, work: () => Promise<T>): Promise<T> {
    return locked(lockOf(this.#blobs, repository), true, work);
  }

  /** Nothing is copied into the repository while `work` runs. */
  removing<T>(repository: string, work: () => Promise<T>): Promise<T> {
    return locked(lockOf(this.#blobs, repository), false, work);
  }

  /** The index that `work` reads stays the newest until it is over. Never asked for inside itself. */
  indexing<T>(repository: string, work: () => Promise<T>): Promise<T> {
    return locked(lockOf(this.#indices, repository), false, work);
  }
}

function lockOf(locks: Map<string, SharedLock>, name: string): SharedLock {
  const lock = locks.get(name) ?? new SharedLock();
  locks.set(name, lock);
  return lock;
}

async function locked<T>(lock: SharedLock, isShared: boolean, work: () => Promise<T>): Promise<T> {
  const unlock = await lock.take(isShared);
  try {
    return await work();
  } finally {
    unlock();
  }
}
