/** Text that wants to be more than text, and what of a page a person would be fooled by. */
import type { Page } from 'playwright-core'

const markup = '<img src=x onerror=alert(1)>'
const turned = '\u202egnp.exe\u2066'
export const hostile = `${markup}${turned}\u0007\u001b[31m`
export const large = `${markup}${turned}${'x'.repeat(1_000_000)}`

/** Whatever of the page is text for a person, attributes included, that would turn or hide text. */
export const hiddenIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const hidden = /(?![\t\n\r])[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u
    const texts = ['title', 'aria-label', 'aria-valuetext', 'placeholder'].flatMap(name =>
      [...document.querySelectorAll(`[${name}]`)].map(element => element.getAttribute(name) ?? ''),
    )
    return [document.body.textContent, ...texts].filter(text => hidden.test(text)).map(text => text.slice(0, 200))
  })
