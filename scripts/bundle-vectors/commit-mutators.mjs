/** Commits edited, left out, put in, or forged so that their ids fit. */
import { edited, find, forged, isCommit, seal, set } from './mutator-tools.mjs'

const commitText = change => edited(all => set(all.find(isCommit), 'commit', change(all.find(isCommit).commit)))
export const commitMutators = {
  'edit-reasoning': [
    ['authority', 'log', 'signed'],
    'commit',
    commitText(text => text.replace(/"reasoning":"[^"]*"/, '"reasoning":"Told to"')),
  ],
  'edit-authority': [
    ['authority'],
    'commit',
    commitText(text => text.replace(/"authority":\["[^"]*"/, '"authority":["id99"')),
  ],
  'edit-principal': [
    ['authority'],
    'commit',
    commitText(text => text.replace('"principal":"agent/lead"', '"principal":"agent/bob"')),
  ],
  'edit-confidence': [['authority'], 'commit', commitText(text => text.replace('900000', '100000'))],
  'edit-description': [
    ['tiny', 'log', 'signed'],
    'commit',
    commitText(text => text.replace(/"description":"[^"]*"/, '"description":"Nothing"')),
  ],
  'edit-the-tree-of-a-commit': [
    ['tiny', 'log'],
    'commit',
    commitText(text => text.replace(/"tree":".{43}"/, `"tree":"${'A'.repeat(43)}"`)),
  ],
  'drop-a-commit-text': [['log', 'rotatedBefore'], 'commit', edited(all => void delete all.find(isCommit).commit)],
  'commit-text-where-there-is-none': [
    ['log', 'tiny'],
    'commit',
    edited(all => set(find(all, 'entry'), 'commit', '{}')),
  ],
  'commit-text-in-redacted': [
    ['redacted'],
    'commit',
    edited(all =>
      set(
        all.find(record => record.entry?.includes('"commit"')),
        'commit',
        '{}',
      ),
    ),
  ],
  'dropped-in-a-log': [['log'], 'commit', edited(all => set(all.find(isCommit), 'dropped', 1))],
  'dropped-without-commit': [['tiny'], 'commit', edited(all => set(seal(all), 'dropped', 1))],
  'commit-text-of-another': [
    ['log'],
    'commit',
    edited(all => {
      const [one, other] = all.filter(isCommit)
      one.commit = other.commit
    }),
  ],
  'forge-a-confidence-above-1': [
    ['authority'],
    'commit',
    forged((_, commit) => void (commit && set(commit, 'confidence', 1000001))),
  ],
  'forge-an-empty-authority': [
    ['authority'],
    'commit',
    forged((_, commit) => void (commit && set(commit, 'authority', []))),
  ],
  'forge-a-field-of-a-commit': [
    ['tiny', 'log'],
    'commit',
    forged((_, commit) => void (commit && set(commit, 'extra', 1))),
  ],
  'forge-an-intent-without-words': [
    ['tiny'],
    'commit',
    forged((_, commit) => void (commit && delete commit.intent.description)),
  ],
  'forge-another-agent-of-the-commit': [
    ['tiny', 'log'],
    'commit',
    forged((_, commit) => void (commit && set(commit, 'agent', 'agent/x'))),
  ],
  'forge-a-commit-of-version-3': [['tiny'], 'commit', forged((_, commit) => void (commit && set(commit, 'v', 3)))],
}
