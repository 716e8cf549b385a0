/** Hashes as the wire carries them. The format lets a surface that is short of room show the beginning, which every operation takes. */
import { z } from 'zod'

export const hashFormat = 'hash'

/** A commit id, or the hash of a state or of schemas, in hex. */
export const hashText: z.ZodString = z.string().meta({ format: hashFormat })
