/**
 * The time of a node or a cluster as a test holds it.
 */

/** Clock of a node, or of all machines of a cluster. It goes on by itself, and by what it is told. */
export interface ShoalClock {
  /** Present time of the node, in milliseconds since 1970-01-01 UTC. */
  now(): number;
  /**
   * Moves the node's time on: by milliseconds, or by a time such as `1d` or `90s`. What falls due on the way happens in the order of its
   * time. A cluster lives through at most six hours at once, and refuses more.
   */
  advance(by: number | string): Promise<void>;
  /**
   * Sets the node's time. Forward is as `advance`; backward nothing that happened is undone, and timers go on as before. The machines of a
   * cluster have their clocks put forward, as by a person: of the time between only the last fifteen minutes pass.
   */
  set(to: Date | number | string): Promise<void>;
}
