/**
 * The failure of a check: something happened in a simulated life that must never happen.
 */
export class SimulationViolation extends Error {
  override readonly name = 'SimulationViolation';
}

export function demand(condition: boolean, message: () => string): void {
  if (!condition) throw new SimulationViolation(message());
}
