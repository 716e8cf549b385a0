/** Prints rows of text as a table of even columns, which is Markdown as well. */
const titles = ['work', 'ours', 'other or floor', 'ratio', 'reach', 'met']

/** Gives the table of judged rows. */
export function tableOf(rows) {
  const lines = [titles, ...rows.map(cellsOf)]
  const widths = titles.map((_, column) => Math.max(...lines.map(cells => cells[column].length)))
  const line = cells => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(titles), line(widths.map(width => '-'.repeat(width))), ...lines.slice(1).map(line)].join('\n')
}

function cellsOf({ work, ours, other, ratio, reach, met }) {
  return [work, ours.words, other?.words ?? '', ratioInWords(ratio), reach ?? '', metInWords(met)]
}

function ratioInWords(ratio) {
  if (ratio === undefined) return ''
  return ratio < 0.2 ? `1/${(1 / ratio).toFixed(1)}` : `${ratio.toFixed(2)}×`
}

function metInWords(met) {
  if (met === undefined) return ''
  return met ? 'yes' : 'NO'
}
