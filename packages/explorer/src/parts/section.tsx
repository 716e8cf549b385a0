/** A part of a view with a heading. */
import type { ComponentChildren } from 'preact'

export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
