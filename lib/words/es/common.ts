import type { common as english } from '#lib/words/en/common'
import type { TranslationOf } from '#lib/words/words'

export const common: TranslationOf<typeof english> = {
  product: 'Consola de administración de la nube',
  loading: 'Cargando…',
  none: '–',
  yes: 'Sí',
  no: 'No',
  save: 'Guardar',
  create: 'Crear',
  edit: 'Editar',
  delete: 'Eliminar',
  remove: 'Quitar',
  cancel: 'Cancelar',
  close: 'Cerrar',
  back: 'Atrás',
  next: 'Siguiente',
  done: 'Listo',
  copy: 'Copiar',
  copied: 'Copiado',
  tryAgain: 'Reintentar',
  optional: 'opcional',
  requestId: 'Id. de la petición',
  errorIcon: 'Error',
  infoIcon: 'Información',
  successIcon: 'Correcto',
  warningIcon: 'Advertencia',
}
