/** The fields in which a person says why: what a commit keeps for those who ask later. */
export interface Why {
  readonly description: string
  readonly reasoning?: string
  readonly confidence?: number
}

export function WhyFields({ about }: { readonly about: string }) {
  return (
    <>
      <label>
        {about} <input name="description" required maxLength={1000} placeholder="Why, in a sentence" />
      </label>
      <label>
        Reasoning <textarea name="reasoning" rows={2} placeholder="How you reached this decision" />
      </label>
      <label class="short">
        How sure, in percent <input name="confidence" type="number" min="0" max="100" step="1" />
      </label>
    </>
  )
}

/** What was typed; fields that were left empty are absent. */
export function readWhy(form: HTMLFormElement): Why {
  const said = textsIn(form)
  const percent = said['confidence']
  return {
    description: said['description'] ?? '',
    ...(said['reasoning'] === undefined ? {} : { reasoning: said['reasoning'] }),
    ...(percent === undefined ? {} : { confidence: Number(percent) / 100 }),
  }
}

/** The texts of a form by name, without those that are empty. */
export function textsIn(form: HTMLFormElement): Readonly<Record<string, string | undefined>> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}
