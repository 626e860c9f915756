import { expect, test } from 'vitest';
import { axisLabels } from './axis-labels';

const count = (value: number) => String(Math.round(value));

test('places that have names of their own keep them', () => {
  expect(axisLabels([0, 50, 100], count)).toEqual(['0', '50', '100']);
});

test('of places that would be called the same, the whole one is named', () => {
  expect(axisLabels([0, 0.25, 0.5, 0.75, 1], count)).toEqual(['0', '', '', '', '1']);
  expect(axisLabels([59, 59.5, 60, 60.5], (value) => String(Math.floor(value)))).toEqual(['59', '', '60', '']);
});

test('without a whole one it is the first', () => {
  expect(axisLabels([0.6, 0.7], count)).toEqual(['1', '']);
  expect(axisLabels([], count)).toEqual([]);
});
