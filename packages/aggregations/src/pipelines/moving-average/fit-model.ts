/**
 * Fits the shares of a model to values by simulated annealing: neighbours of a model that forecast worse are taken now and then,
 * less and less often, so that the search does not end in the first hollow.
 *
 * The random numbers are always the same ones: the same values give the same model.
 */
import type { StepMeter, Steps } from '@shoal/core';
import { type AverageModel, forecasts, sharesOf, valuesNeeded } from './average-model.ts';

const TEMPERATURE_FIRST = 1;
const TEMPERATURE_LAST = 0.0001;
const COOLING = 0.9;
const TRIES = 100;
/** Microseconds that a value costs in one try, about. */
const VALUE_UNITS = 0.02;

/** @param train values before those of `test`, which a good model forecasts */
export function* fittedModel(
  model: AverageModel,
  train: readonly number[],
  test: readonly number[],
  meter: StepMeter,
): Steps<AverageModel> {
  const shares = sharesOf(model);
  if (shares.length === 0 || train.length < valuesNeeded(model)) return model;
  const random = randomNumbers();
  let current = { model, error: errorOf(model, train, test) };
  let best = current;
  for (let temperature = TEMPERATURE_FIRST; temperature > TEMPERATURE_LAST; temperature *= COOLING) {
    for (let i = 0; i < TRIES; i++) {
      const share = shares[Math.floor(random() * shares.length)] ?? 'alpha';
      const neighbour = { ...current.model, [share]: random() };
      const error = errorOf(neighbour, train, test);
      if (meter.isDue(VALUE_UNITS * (train.length + test.length) + 1)) yield;
      const odds = error < current.error ? 1 : Math.exp(-(error - current.error) / temperature);
      if (!(odds > random())) continue;
      current = { model: neighbour, error };
      if (error < best.error) best = current;
    }
  }
  return best.model;
}

function errorOf(model: AverageModel, train: readonly number[], test: readonly number[]): number {
  const made = forecasts(model, train, test.length);
  return test.reduce((sum, value, at) => sum + (value - (made[at] ?? Number.NaN)) ** 2, 0);
}

/** Numbers from 0 to 1, without 1, of a linear congruential generator. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
