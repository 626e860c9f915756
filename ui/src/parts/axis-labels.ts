// What the places of an axis are called. Where several would be called the same, as on an axis that is finer
// than what is counted, only the whole one is: the others would lie.
export function axisLabels(places: number[], name: (place: number) => string): string[] {
  const names = places.map(name);
  return names.map((label, at) => {
    let first = at;
    while (first > 0 && names[first - 1] === label) --first;
    let last = at;
    while (last + 1 < names.length && names[last + 1] === label) ++last;
    const whole = places.slice(first, last + 1).findIndex((place) => Number.isInteger(place));
    return at === first + Math.max(whole, 0) ? label : '';
  });
}
