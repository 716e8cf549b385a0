export function versitygwFile(env?: Readonly<Record<string, string | undefined>>): string
export function installVersitygw(): string | undefined
