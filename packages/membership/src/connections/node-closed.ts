/**
 * The error of whatever asks a node that closes.
 */
import { ShoalError } from '@shoal/core';

export function nodeClosed(): ShoalError {
  return new ShoalError('node_closed_exception', 500, 'node is closed');
}
