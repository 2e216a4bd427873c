{{/* Labels that select the pods of a role: include "outreach.selector" (dict "root" $ "role" "api") */}}
{{- define "outreach.selector" -}}
app.kubernetes.io/name: outreach
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{/* Labels of every object of a role. */}}
{{- define "outreach.labels" -}}
{{ include "outreach.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* Variables of every process. */}}
{{- define "outreach.env" -}}
- name: OUTREACH_BASE_URL
  value: {{ .Values.baseURL | quote }}
- name: OUTREACH_ADDR
  value: ":8080"
- name: OUTREACH_METRICS_ADDR
  value: ":9090"
{{- range $name := list "DATABASE_URL" "REDIS_URL" "OUTREACH_SECRET_KEY" }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.existingSecret }}
      key: {{ $name }}
{{- end }}
{{- range $name, $value := .Values.config }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* What a container may do: nothing but its work. */}}
{{- define "outreach.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "outreach.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}
