/**
 * How many sockets of each channel one logical connection has, by who dials and what for.
 *
 * One event loop gains nothing from many sockets; the channels exist so that one kind of traffic never waits behind
 * another in the same byte stream.
 */
import type { NodeIdentity } from './node-identity.ts';
import type { Channel, ConnectOptions } from './transport.ts';

export type ConnectionProfile = Readonly<Partial<Record<Channel, number>>>;

export const CHANNELS: readonly Channel[] = ['ping', 'state', 'recovery', 'bulk', 'reg'];

const SOCKETS_PER_CHANNEL_MAX = 16;

/** `reg` has at least one socket in every profile: it stands in for channels that are not opened. */
export function connectionProfile(
  local: Pick<NodeIdentity, 'kind' | 'roles'>,
  purpose: ConnectOptions['kind'],
  override: ConnectionProfile,
): ConnectionProfile {
  if (purpose === 'probe' || local.kind === 'probe') return { reg: 1 };
  if (local.kind === 'transport_client') return bounded({ ping: 1, reg: 2, bulk: 1, ...override });
  const isEligible = local.roles.includes('cluster_manager') || local.roles.includes('master');
  const isData = local.roles.some((role) => role === 'data' || role.startsWith('data_'));
  return bounded({
    ping: 1,
    ...(isEligible ? { state: 1 } : {}),
    ...(isData ? { recovery: 1 } : {}),
    bulk: 2,
    reg: 2,
    ...override,
  });
}

function bounded(profile: ConnectionProfile): ConnectionProfile {
  const out: Partial<Record<Channel, number>> = {};
  for (const channel of CHANNELS) {
    const wanted = Math.min(profile[channel] ?? 0, SOCKETS_PER_CHANNEL_MAX);
    const least = channel === 'reg' ? 1 : 0;
    if (Math.max(wanted, least) > 0) out[channel] = Math.max(wanted, least);
  }
  return out;
}
