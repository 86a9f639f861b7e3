/**
 * How reloads went, of one pipeline or of all: counts, and the last of each kind.
 */

export interface ReloadFailure {
  readonly message: string;
  /** Positions in the configuration, `file:line:column`. */
  readonly positions: readonly string[];
  readonly nowMs: number;
}

export class ReloadStats {
  successes = 0;
  failures = 0;
  lastError: { readonly message: string; readonly positions: readonly string[] } | null = null;
  lastSuccessMs: number | null = null;
  lastFailureMs: number | null = null;

  succeeded(nowMs: number): void {
    this.successes++;
    this.lastSuccessMs = nowMs;
  }

  failed(failure: ReloadFailure): void {
    this.failures++;
    this.lastError = { message: failure.message, positions: failure.positions };
    this.lastFailureMs = failure.nowMs;
  }
}
