/**
 * Where the credentials of a client come from: lasting ones that were given, or ones that are lent for a time and renewed
 * before they end.
 */
import type { Clock } from '@shoal/runtime';
import type { AwsCredentials } from './signature-v4.ts';

export interface CredentialSource {
  /** @throws ShoalError when there are none that are valid */
  current(): Promise<AwsCredentials>;
  close(): void;
}

export interface LentCredentials {
  readonly credentials: AwsCredentials;
  /** In Unix milliseconds; null for credentials that do not end. */
  readonly endsAtMs: number | null;
}

/** Credentials are renewed so long before they end, and those that end sooner are used to their end. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** After a renewal that failed the old ones serve so long, while they are valid, before the next. */
const RETRY_MS = 30_000;

export function lastingCredentials(credentials: AwsCredentials): CredentialSource {
  return { current: () => Promise.resolve(credentials), close: () => undefined };
}

export class RenewedCredentials implements CredentialSource {
  private readonly lend: () => Promise<LentCredentials>;
  private readonly clock: Clock;
  private readonly onClose: () => void;
  private held: LentCredentials | null = null;
  private renewAtMs = 0;
  private pending: Promise<AwsCredentials> | null = null;

  /** @param lend asks for new credentials; never called while a call of it is open */
  constructor(lend: () => Promise<LentCredentials>, clock: Clock, onClose: () => void = () => undefined) {
    this.lend = lend;
    this.clock = clock;
    this.onClose = onClose;
  }

  async current(): Promise<AwsCredentials> {
    if (this.held !== null && this.clock.wallMs() < this.renewAtMs) return this.held.credentials;
    this.pending ??= this.renew().finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  close(): void {
    this.onClose();
  }

  private async renew(): Promise<AwsCredentials> {
    try {
      this.held = await this.lend();
      const { endsAtMs } = this.held;
      const now = this.clock.wallMs();
      const remaining = endsAtMs === null ? Number.POSITIVE_INFINITY : endsAtMs - now;
      this.renewAtMs = now + (remaining > RENEW_BEFORE_MS ? remaining - RENEW_BEFORE_MS : remaining);
    } catch (error) {
      const now = this.clock.wallMs();
      const endsAtMs = this.held?.endsAtMs ?? 0;
      // The ones before are good for a few minutes more: a service that is away for a moment stops nothing.
      if (this.held === null || endsAtMs <= now) throw error;
      this.renewAtMs = Math.min(endsAtMs, now + RETRY_MS);
    }
    return this.held.credentials;
  }
}
