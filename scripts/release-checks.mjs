// @ts-check

/**
 * Whether the first version is above the second one.
 * @param {string} left
 * @param {string} right
 */
export function isNewer(left, right) {
  const [ours, theirs] = [left, right].map((version) => version.split('.').map(Number));
  const index = [0, 1, 2].find((each) => ours?.[each] !== theirs?.[each]);
  return index !== undefined && (ours?.[index] ?? 0) > (theirs?.[index] ?? 0);
}

/**
 * Returns what of the changelog is not ready for the release.
 * @param {string} text
 * @param {string} version
 */
export function changelogFaults(text, version) {
  const sections = text.split(/^## /m).slice(1);
  const [unreleased = '', first = ''] = sections;
  const [, ...waiting] = unreleased.split('\n').filter((line) => line.trim() !== '');
  const [heading = '', ...lines] = first.split('\n').filter((line) => line.trim() !== '');
  const day = /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/.exec(heading);
  return [
    ...(unreleased.startsWith('[Unreleased]') ? [] : ['CHANGELOG.md does not begin with [Unreleased]']),
    ...(waiting.length === 0
      ? []
      : [`CHANGELOG.md has ${waiting.length} lines under [Unreleased]; move them to [${version}]`]),
    ...(day?.[1] === version ? [] : [`The newest section of CHANGELOG.md is "${heading}", not [${version}] - <day>`]),
    ...(day === null || isDay(day[2] ?? '') ? [] : [`CHANGELOG.md: ${day[2]} is no day`]),
    ...(lines.some((line) => !line.startsWith('#')) ? [] : [`CHANGELOG.md says nothing about ${version}`]),
  ];
}

/**
 * Node reads the 30th of February as a day of March.
 * @param {string} text
 */
function isDay(text) {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
