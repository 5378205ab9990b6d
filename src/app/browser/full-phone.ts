import { toast } from '../toasts.ts'

/** Says that there was no room for what should be saved, and what helps (S26). */
export const toastFullPhone = (): void =>
  toast({
    title: 'This phone is full',
    text: 'This was not saved. Delete photos or apps you do not need, then try again. Everything not sent yet is safe.',
    destructive: true,
  })
