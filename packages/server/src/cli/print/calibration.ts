/** Prints how often what was expected with some confidence came true. Where nothing was observed, there is no score. */
import { confidenceText } from './commit-line.ts'
import type { Fields, Printer } from './show.ts'
import { table } from './table.ts'

interface Calibration {
  readonly count: number
  readonly brier: number
  readonly bands: readonly Fields[]
}

export const printCalibration: Printer = (result, show) => {
  const { count, brier, bands } = result as Calibration
  if (count === 0) return show.paint('dim', 'Nothing yet: no commit that says how sure it is has been observed.')
  const rows = bands.filter(band => Number(band['count']) > 0)
  const share = (band: Fields): number => Number(band['held']) / Number(band['count'])
  return [
    `${count} observed, Brier score ${brier.toFixed(2)}: 0 is always right, 1 always wrong`,
    table(
      rows,
      [
        { title: 'said', text: ({ min, max }) => `${confidenceText(Number(min))} to ${confidenceText(Number(max))}` },
        { title: 'observed', text: band => String(band['count']) },
        { title: 'held', text: band => `${String(band['held'])} (${confidenceText(share(band))})` },
      ],
      show,
    ),
  ].join('\n')
}
