// `*` is one word of a topic, `#` any number of them.
export function topicMatches(pattern: string, topic: string): boolean {
  return matches(pattern.split('.'), 0, topic.split('.'), 0);
}

function matches(pattern: string[], p: number, words: string[], w: number): boolean {
  for (; p < pattern.length; p += 1, w += 1) {
    if (pattern[p] === '#') {
      if (p === pattern.length - 1) return true;
      for (let rest = w; rest <= words.length; rest += 1) {
        if (matches(pattern, p + 1, words, rest)) return true;
      }
      return false;
    }
    if (w >= words.length) return false;
    if (pattern[p] !== '*' && pattern[p] !== words[w]) return false;
  }
  return w === words.length;
}
