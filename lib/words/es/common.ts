import type { common as english } from '#lib/words/en/common'
import type { TranslationOf } from '#lib/words/translation'

export const common: TranslationOf<typeof english> = {
  loading: 'Cargando…',
  none: '–',
  save: 'Guardar',
  edit: 'Editar',
  delete: 'Eliminar',
  cancel: 'Cancelar',
  close: 'Cerrar',
  undo: 'Deshacer',
  undone: 'Deshecho:',
  notUndone: 'No se ha podido deshacer',
  open: 'Abrir',
  back: 'Atrás',
  next: 'Siguiente',
  copy: 'Copiar',
  noCopy: 'El navegador no permite copiar aquí. Seleccione el texto y cópielo a mano.',
  copied: 'Copiado',
  tryAgain: 'Reintentar',
  optional: 'opcional',
  requestId: 'Id. de la petición',
  errorIcon: 'Error',
  infoIcon: 'Información',
  successIcon: 'Correcto',
  warningIcon: 'Advertencia',
  home: 'Ir al inicio',
  notLoaded: {
    title: 'No se ha podido cargar esta parte de la consola',
    text: 'No se puede contactar con el servidor, o este tiene una versión nueva de la consola. Lo que ha escrito sigue aquí. Inténtelo de nuevo. Si no ayuda, termine su trabajo aquí y vuelva a cargar la página.',
    offline:
      'Su dispositivo no está conectado a ninguna red. Lo que ha escrito sigue aquí. Conéctelo e inténtelo de nuevo.',
  },
  showPassword: 'Mostrar la contraseña',
  timeLeft: {
    seconds: '{seconds, plural, =1 {# segundo} other {# segundos}}',
    minutes: '{time} minutos',
  },
  clock: {
    ahead:
      'El reloj de su teléfono está adelantado aproximadamente {minutes, plural, =1 {# minuto} other {# minutos}}. Active la hora automática y pruebe con el siguiente código.',
    behind:
      'El reloj de su teléfono está atrasado aproximadamente {minutes, plural, =1 {# minuto} other {# minutos}}. Active la hora automática y pruebe con el siguiente código.',
  },
  failure: {
    unreachable: 'No se puede contactar con el servidor',
    ended: 'Su sesión ha terminado',
    forbidden: 'No tiene permiso para hacer esto',
    missing: 'No encontrado',
    changed: 'Otra persona lo ha modificado',
    tooMany: 'Demasiados intentos',
    saved: 'El primer intento se guardó',
    refused: 'No se ha podido hacer',
    server: 'El servidor ha tenido un problema',
    unknown: 'Algo ha fallado',
  },
  ownFaults: {
    CONSOLE: 'Ha fallado la propia consola. Volver a cargar la página suele ayudar.',
    NETWORK: 'No ha llegado ninguna respuesta. Compruebe su conexión e inténtelo de nuevo.',
    'IDEMPOTENCY-2':
      'Se guardó tal como lo envió entonces, sin sus cambios posteriores. Búsquelo en la lista y cámbielo allí. Si vuelve a enviar este formulario, creará otro.',
    STOPPED: 'Se ha detenido antes de terminar. No se ha cambiado nada.',
    'NO-PAST': 'Esto no tiene pasado. Vuelva al presente para verlo.',
    '401': 'No se ha cambiado nada. Inténtelo de nuevo.',
    '403': 'No tiene permiso para hacer esto.',
    '404': 'No existe, o no tiene permiso para verlo.',
    '412': 'Otra persona lo ha modificado entretanto.',
    '429': 'Demasiados intentos. Espere un momento e inténtelo de nuevo.',
    other: 'El servidor no ha podido responder. Inténtelo de nuevo dentro de un momento.',
  },
}
