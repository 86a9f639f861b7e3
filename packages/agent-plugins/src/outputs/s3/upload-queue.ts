/**
 * Files on their way: so many at once, and so many more that wait. Whoever brings another one then waits too, which is the
 * back pressure.
 */

export class UploadQueue<File> {
  private readonly workersMax: number;
  private readonly waitingMax: number;
  private readonly upload: (file: File) => Promise<void>;
  private readonly waiting: File[] = [];
  private readonly wakers = new Set<() => void>();
  private workers = 0;

  /** @param upload never rejects: what fails for good is its own to tell */
  constructor(workersMax: number, waitingMax: number, upload: (file: File) => Promise<void>) {
    this.workersMax = workersMax;
    this.waitingMax = waitingMax;
    this.upload = upload;
  }

  /** Resolves when the file is taken, not when it is uploaded. */
  async add(file: File): Promise<void> {
    while (this.workers >= this.workersMax && this.waiting.length >= this.waitingMax) await this.change();
    this.waiting.push(file);
    if (this.workers < this.workersMax) void this.work();
  }

  /** Resolves when every file that was taken is done with. */
  async drained(): Promise<void> {
    while (this.workers > 0) await this.change();
  }

  private async work(): Promise<void> {
    this.workers++;
    for (let file = this.waiting.shift(); file !== undefined; file = this.waiting.shift()) {
      this.wake();
      await this.upload(file);
    }
    this.workers--;
    this.wake();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.wakers.add(resolve));
  }

  private wake(): void {
    for (const wake of this.wakers) wake();
    this.wakers.clear();
  }
}
