//# allFunctionsCalledOnLoad
const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/AskPassword-BS4nz4XU.js","assets/rolldown-runtime-WkwZ5CU-.js","assets/shared-Bqt-uCHz.js","assets/Palette-g-vqi9KJ.js","assets/play-DyMiPMEy.js","assets/settingsTabs-CrVvRB-i.js","assets/Keys-DGmpFaSt.js","assets/Look-BrgoDGMc.js","assets/start-CXwYW6YE.js","assets/More-CrwakBo8.js","assets/Inbox-BqTLvlJ_.js","assets/useSend-BcZoo08B.js","assets/Campaigns-Dgf_C_eC.js","assets/EditorSpace-wPkB4Dgo.js","assets/VariableMenu-vmzF3EVO.js","assets/Prospects-PcB0-KdU.js","assets/upload-B76rFY-a.js","assets/Views-Ca_90Uso.js","assets/BulkEnroll-Ba0FWaSS.js","assets/Companies-QRirIGb8.js","assets/Offers-BYHSSp2s.js","assets/Mailboxes-T_IBq0ED.js","assets/deliverability-V7gQvrAA.js","assets/ConnectProvider-6vM9pA5R.js","assets/Deliverability-BnloqSfn.js","assets/Suppressions-Ct6zxxS1.js","assets/Settings-BlDkb5LO.js","assets/NotFound-BKyCGXKV.js","assets/TwoFactor-DFnJomwY.js","assets/NotFound-C2i6hIH_.js","assets/SignInAgain-Cjy9eqm3.js","assets/Join-CJlZibTe.js","assets/TwoFactor-DONsYgSd.js"])))=>i.map(i=>d[i]);
import{n as e,t}from"./rolldown-runtime-WkwZ5CU-.js";import{t as n}from"./start-CXwYW6YE.js";var r=t((e=>{var t=Symbol.for(`react.transitional.element`),n=Symbol.for(`react.portal`),r=Symbol.for(`react.fragment`),i=Symbol.for(`react.strict_mode`),a=Symbol.for(`react.profiler`),o=Symbol.for(`react.consumer`),s=Symbol.for(`react.context`),c=Symbol.for(`react.forward_ref`),l=Symbol.for(`react.suspense`),u=Symbol.for(`react.memo`),d=Symbol.for(`react.lazy`),f=Symbol.for(`react.activity`),p=Symbol.for(`react.view_transition`),m=Symbol.iterator;function h(e){return typeof e!=`object`||!e?null:(e=m&&e[m]||e[`@@iterator`],typeof e==`function`?e:null)}var g={isMounted:function(){return!1},enqueueForceUpdate:function(){},enqueueReplaceState:function(){},enqueueSetState:function(){}},_=Object.assign,v={};function y(e,t,n){this.props=e,this.context=t,this.refs=v,this.updater=n||g}y.prototype.isReactComponent={},y.prototype.setState=function(e,t){if(typeof e!=`object`&&typeof e!=`function`&&e!=null)throw Error(`takes an object of state variables to update or a function which returns an object of state variables.`);this.updater.enqueueSetState(this,e,t,`setState`)},y.prototype.forceUpdate=function(e){this.updater.enqueueForceUpdate(this,e,`forceUpdate`)};function b(){}b.prototype=y.prototype;function ee(e,t,n){this.props=e,this.context=t,this.refs=v,this.updater=n||g}var te=ee.prototype=new b;te.constructor=ee,_(te,y.prototype),te.isPureReactComponent=!0;var ne=Array.isArray;function re(){}var x={H:null,A:null,T:null,S:null},ie=Object.prototype.hasOwnProperty;function ae(e,n,r){var i=r.ref;return{$$typeof:t,type:e,key:n,ref:i===void 0?null:i,props:r}}function oe(e,t){return ae(e.type,t,e.props)}function se(e){return typeof e==`object`&&!!e&&e.$$typeof===t}function ce(e){var t={"=":`=0`,":":`=2`};return`$`+e.replace(/[=:]/g,function(e){return t[e]})}var le=/\/+/g;function ue(e,t){return typeof e==`object`&&e&&e.key!=null?ce(``+e.key):t.toString(36)}function de(e){switch(e.status){case`fulfilled`:return e.value;case`rejected`:throw e.reason;default:switch(typeof e.status==`string`?e.then(re,re):(e.status=`pending`,e.then(function(t){e.status===`pending`&&(e.status=`fulfilled`,e.value=t)},function(t){e.status===`pending`&&(e.status=`rejected`,e.reason=t)})),e.status){case`fulfilled`:return e.value;case`rejected`:throw e.reason}}throw e}function fe(e,r,i,a,o){var s=typeof e;(s===`undefined`||s===`boolean`)&&(e=null);var c=!1;if(e===null)c=!0;else switch(s){case`bigint`:case`string`:case`number`:c=!0;break;case`object`:switch(e.$$typeof){case t:case n:c=!0;break;case d:return c=e._init,fe(c(e._payload),r,i,a,o)}}if(c)return o=o(e),c=a===``?`.`+ue(e,0):a,ne(o)?(i=``,c!=null&&(i=c.replace(le,`$&/`)+`/`),fe(o,r,i,``,function(e){return e})):o!=null&&(se(o)&&(o=oe(o,i+(o.key==null||e&&e.key===o.key?``:(``+o.key).replace(le,`$&/`)+`/`)+c)),r.push(o)),1;c=0;var l=a===``?`.`:a+`:`;if(ne(e))for(var u=0;u<e.length;u++)a=e[u],s=l+ue(a,u),c+=fe(a,r,i,s,o);else if(u=h(e),typeof u==`function`)for(e=u.call(e),u=0;!(a=e.next()).done;)a=a.value,s=l+ue(a,u++),c+=fe(a,r,i,s,o);else if(s===`object`){if(typeof e.then==`function`)return fe(de(e),r,i,a,o);throw r=String(e),Error(`Objects are not valid as a React child (found: `+(r===`[object Object]`?`object with keys {`+Object.keys(e).join(`, `)+`}`:r)+`). If you meant to render a collection of children, use an array instead.`)}return c}function pe(e,t,n){if(e==null)return e;var r=[],i=0;return fe(e,r,``,``,function(e){return t.call(n,e,i++)}),r}function me(e){if(e._status===-1){var t=e._result,n=t();n.then(function(t){(e._status===0||e._status===-1)&&(e._status=1,e._result=t,n.status===void 0&&(n.status=`fulfilled`,n.value=t))},function(t){(e._status===0||e._status===-1)&&(e._status=2,e._result=t,n.status===void 0&&(n.status=`rejected`,n.reason=t))}),e._status===-1&&(e._status=0,e._result=n)}if(e._status===1)return e._result.default;throw e._result}var he=typeof reportError==`function`?reportError:function(e){if(typeof window==`object`&&typeof window.ErrorEvent==`function`){var t=new window.ErrorEvent(`error`,{bubbles:!0,cancelable:!0,message:typeof e==`object`&&e&&typeof e.message==`string`?String(e.message):String(e),error:e});if(!window.dispatchEvent(t))return}else if(typeof process==`object`&&typeof process.emit==`function`){process.emit(`uncaughtException`,e);return}console.error(e)};function ge(e){var t=x.T,n={};n.types=t===null?null:t.types,x.T=n;try{var r=e(),i=x.S;i!==null&&i(n,r),typeof r==`object`&&r&&typeof r.then==`function`&&r.then(re,he)}catch(e){he(e)}finally{t!==null&&n.types!==null&&(t.types=n.types),x.T=t}}function _e(e){var t=x.T;if(t!==null){var n=t.types;n===null?t.types=[e]:n.indexOf(e)===-1&&n.push(e)}else ge(_e.bind(null,e))}var ve={map:pe,forEach:function(e,t,n){pe(e,function(){t.apply(this,arguments)},n)},count:function(e){var t=0;return pe(e,function(){t++}),t},toArray:function(e){return pe(e,function(e){return e})||[]},only:function(e){if(!se(e))throw Error(`React.Children.only expected to receive a single React element child.`);return e}};e.Activity=f,e.Children=ve,e.Component=y,e.Fragment=r,e.Profiler=a,e.PureComponent=ee,e.StrictMode=i,e.Suspense=l,e.ViewTransition=p,e.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=x,e.__COMPILER_RUNTIME={__proto__:null,c:function(e){return x.H.useMemoCache(e)}},e.addTransitionType=_e,e.cache=function(e){return function(){return e.apply(null,arguments)}},e.cacheSignal=function(){return null},e.cloneElement=function(e,t,n){if(e==null)throw Error(`The argument must be a React element, but you passed `+e+`.`);var r=_({},e.props),i=e.key;if(t!=null)for(a in t.key!==void 0&&(i=``+t.key),t)!ie.call(t,a)||a===`key`||a===`__self`||a===`__source`||a===`ref`&&t.ref===void 0||(r[a]=t[a]);var a=arguments.length-2;if(a===1)r.children=n;else if(1<a){for(var o=Array(a),s=0;s<a;s++)o[s]=arguments[s+2];r.children=o}return ae(e.type,i,r)},e.createContext=function(e){return e={$$typeof:s,_currentValue:e,_currentValue2:e,_threadCount:0,Provider:null,Consumer:null},e.Provider=e,e.Consumer={$$typeof:o,_context:e},e},e.createElement=function(e,t,n){var r,i={},a=null;if(t!=null)for(r in t.key!==void 0&&(a=``+t.key),t)ie.call(t,r)&&r!==`key`&&r!==`__self`&&r!==`__source`&&(i[r]=t[r]);var o=arguments.length-2;if(o===1)i.children=n;else if(1<o){for(var s=Array(o),c=0;c<o;c++)s[c]=arguments[c+2];i.children=s}if(e&&e.defaultProps)for(r in o=e.defaultProps,o)i[r]===void 0&&(i[r]=o[r]);return ae(e,a,i)},e.createRef=function(){return{current:null}},e.forwardRef=function(e){return{$$typeof:c,render:e}},e.isValidElement=se,e.lazy=function(e){return{$$typeof:d,_payload:{_status:-1,_result:e},_init:me}},e.memo=function(e,t){return{$$typeof:u,type:e,compare:t===void 0?null:t}},e.startTransition=ge,e.unstable_useCacheRefresh=function(){return x.H.useCacheRefresh()},e.use=function(e){return x.H.use(e)},e.useActionState=function(e,t,n){return x.H.useActionState(e,t,n)},e.useCallback=function(e,t){return x.H.useCallback(e,t)},e.useContext=function(e){return x.H.useContext(e)},e.useDebugValue=function(){},e.useDeferredValue=function(e,t){return x.H.useDeferredValue(e,t)},e.useEffect=function(e,t){return x.H.useEffect(e,t)},e.useEffectEvent=function(e){return x.H.useEffectEvent(e)},e.useId=function(){return x.H.useId()},e.useImperativeHandle=function(e,t,n){return x.H.useImperativeHandle(e,t,n)},e.useInsertionEffect=function(e,t){return x.H.useInsertionEffect(e,t)},e.useLayoutEffect=function(e,t){return x.H.useLayoutEffect(e,t)},e.useMemo=function(e,t){return x.H.useMemo(e,t)},e.useOptimistic=function(e,t){return x.H.useOptimistic(e,t)},e.useReducer=function(e,t,n){return x.H.useReducer(e,t,n)},e.useRef=function(e){return x.H.useRef(e)},e.useState=function(e){return x.H.useState(e)},e.useSyncExternalStore=function(e,t,n){return x.H.useSyncExternalStore(e,t,n)},e.useTransition=function(){return x.H.useTransition()},e.version=`19.3.1`})),i=t(((e,t)=>{t.exports=r()})),a=t((e=>{var t=Symbol.for(`react.transitional.element`),n=Symbol.for(`react.fragment`);function r(e,n,r){var i=null;if(r!==void 0&&(i=``+r),n.key!==void 0&&(i=``+n.key),`key`in n)for(var a in r={},n)a!==`key`&&(r[a]=n[a]);else r=n;return n=r.ref,{$$typeof:t,type:e,key:i,ref:n===void 0?null:n,props:r}}e.Fragment=n,e.jsx=r,e.jsxs=r})),o=t(((e,t)=>{t.exports=a()})),s=e(i(),1),c=o(),l=s.createContext(void 0),u=e=>{let t=s.useContext(l);if(e)return e;if(!t)throw Error(`No QueryClient set, use QueryClientProvider to set one`);return t},d=({client:e,children:t})=>(s.useEffect(()=>(e.mount(),()=>{e.unmount()}),[e]),(0,c.jsx)(l.Provider,{value:e,children:t})),f={setTimeout:(e,t)=>setTimeout(e,t),clearTimeout:e=>clearTimeout(e),setInterval:(e,t)=>setInterval(e,t),clearInterval:e=>clearInterval(e)},p=new class{#e=f;setTimeoutProvider(e){this.#e=e}setTimeout(e,t){return this.#e.setTimeout(e,t)}clearTimeout(e){this.#e.clearTimeout(e)}setInterval(e,t){return this.#e.setInterval(e,t)}clearInterval(e){this.#e.clearInterval(e)}};function m(e){setTimeout(e,0)}var h=typeof window>`u`||`Deno`in globalThis;function g(){}function _(e,t){return typeof e==`function`?e(t):e}function v(e){return typeof e==`number`&&e>=0&&e!==1/0}function y(e,t){return Math.max(e+(t||0)-Date.now(),0)}function b(e,t){return typeof e==`function`?e(t):e}function ee(e,t){let{type:n=`all`,exact:r,fetchStatus:i,predicate:a,queryKey:o,stale:s}=e;if(o){if(r){if(t.queryHash!==ne(o,t.options))return!1}else if(!x(t.queryKey,o))return!1}if(n!==`all`){let e=t.isActive();if(n===`active`&&!e||n===`inactive`&&e)return!1}return!(typeof s==`boolean`&&t.isStale()!==s||i&&i!==t.state.fetchStatus||a&&!a(t))}function te(e,t){let{exact:n,status:r,predicate:i,mutationKey:a}=e;if(a){if(!t.options.mutationKey)return!1;if(n){if(re(t.options.mutationKey)!==re(a))return!1}else if(!x(t.options.mutationKey,a))return!1}return!(r&&t.state.status!==r||i&&!i(t))}function ne(e,t){return(t?.queryKeyHashFn||re)(e)}function re(e){return JSON.stringify(e,(e,t)=>ce(t)?Object.keys(t).sort().reduce((e,n)=>(e[n]=t[n],e),{}):t)}function x(e,t){if(e===t)return!0;if(typeof e!=typeof t)return!1;if(e&&t&&typeof e==`object`&&typeof t==`object`){if(Array.isArray(e)&&Array.isArray(t)){if(t.length>e.length)return!1;for(let n=0;n<t.length;n++)if(!x(e[n],t[n]))return!1;return!0}let n=Object.keys(t);for(let r of n)if(!x(e[r],t[r]))return!1;return!0}return!1}var ie=Object.prototype.hasOwnProperty;function ae(e,t,n=0){if(e===t)return e;if(n>500)return t;let r=se(e)&&se(t);if(!r&&!(ce(e)&&ce(t)))return t;let i=(r?e:Object.keys(e)).length,a=r?t:Object.keys(t),o=a.length,s=r?Array(o):{},c=0;for(let l=0;l<o;l++){let o=r?l:a[l],u=e[o],d=t[o];if(u===d){s[o]=u,(r?l<i:ie.call(e,o))&&c++;continue}if(u===null||d===null||typeof u!=`object`||typeof d!=`object`){s[o]=d;continue}let f=ae(u,d,n+1);s[o]=f,f===u&&c++}return i===o&&c===i?e:s}function oe(e,t){if(!t||Object.keys(e).length!==Object.keys(t).length)return!1;for(let n of Object.keys(e))if(!ie.call(t,n)||e[n]!==t[n])return!1;return!0}function se(e){return Array.isArray(e)&&e.length===Object.keys(e).length}function ce(e){if(!le(e))return!1;let t=Object.getPrototypeOf(e),n=t?.constructor;if(n===void 0)return!0;if(typeof n!=`function`)return!1;let r=n.prototype;return!(!le(r)||!r.hasOwnProperty(`isPrototypeOf`)||t!==Object.prototype)}function le(e){return Object.prototype.toString.call(e)===`[object Object]`}function ue(e){return new Promise(t=>{p.setTimeout(t,e)})}function de(e,t,n){return typeof n.structuralSharing==`function`?n.structuralSharing(e,t):n.structuralSharing===!1?t:ae(e,t)}function fe(e,t,n=0){let r=[...e,t];return n&&r.length>n?r.slice(-n):r}function pe(e,t,n=0){let r=[t,...e];return n&&r.length>n?r.slice(0,n):r}var me=Symbol();function he(e,t){return!e.queryFn&&t?.initialPromise?()=>t.initialPromise:!e.queryFn||e.queryFn===me?()=>Promise.reject(Error(`Missing queryFn: '${e.queryHash}'`)):e.queryFn}function ge(e,t){return typeof e==`function`?e(...t):!!e}var _e=Symbol();function ve(e,t,n,r){let i=!1,a;return Object.defineProperties(e,{[_e]:{value:r},signal:{enumerable:!0,get:()=>(a??=t(),i||(i=!0,a.aborted?n():a.addEventListener(`abort`,n,{once:!0})),a)}}),e}var ye=()=>h,be=()=>ye(),xe=class{constructor(){this.listeners=new Set,this.subscribe=this.subscribe.bind(this)}subscribe(e){return this.listeners.add(e),this.onSubscribe(),()=>{this.listeners.delete(e),this.onUnsubscribe()}}hasListeners(){return this.listeners.size>0}onSubscribe(){}onUnsubscribe(){}},Se=new class extends xe{#e;#t;#n;constructor(){super(),this.#n=e=>{if(typeof window<`u`&&window.addEventListener){let t=()=>e();return window.addEventListener(`visibilitychange`,t,!1),()=>{window.removeEventListener(`visibilitychange`,t)}}}}onSubscribe(){this.#t||this.setEventListener(this.#n)}onUnsubscribe(){this.hasListeners()||(this.#t?.(),this.#t=void 0)}setEventListener(e){this.#n=e,this.#t?.(),this.#t=e(e=>{typeof e==`boolean`?this.setFocused(e):this.onFocus()})}setFocused(e){this.#e!==e&&(this.#e=e,this.onFocus())}onFocus(){let e=this.isFocused();this.listeners.forEach(t=>{t(e)})}isFocused(){return typeof this.#e==`boolean`?this.#e:globalThis.document?.visibilityState!==`hidden`}},Ce=m;function we(){let e=[],t=0,n=e=>{e()},r=e=>{e()},i=Ce,a=r=>{t?e.push(r):i(()=>{n(r)})},o=()=>{let t=e;e=[],t.length&&i(()=>{r(()=>{t.forEach(e=>{n(e)})})})};return{batch:e=>{let n;t++;try{n=e()}finally{t--,t||o()}return n},batchCalls:e=>(...t)=>{a(()=>{e(...t)})},schedule:a,setNotifyFunction:e=>{n=e},setBatchNotifyFunction:e=>{r=e},setScheduler:e=>{i=e}}}var S=we(),Te=new class extends xe{#e=!0;#t;#n;constructor(){super(),this.#n=e=>{if(typeof window<`u`&&window.addEventListener){let t=()=>e(!0),n=()=>e(!1);return window.addEventListener(`online`,t,!1),window.addEventListener(`offline`,n,!1),()=>{window.removeEventListener(`online`,t),window.removeEventListener(`offline`,n)}}}}onSubscribe(){this.#t||this.setEventListener(this.#n)}onUnsubscribe(){this.hasListeners()||(this.#t?.(),this.#t=void 0)}setEventListener(e){this.#n=e,this.#t?.(),this.#t=e(this.setOnline.bind(this))}setOnline(e){this.#e!==e&&(this.#e=e,this.listeners.forEach(t=>{t(e)}))}isOnline(){return this.#e}};function C(e){return Math.min(1e3*2**e,3e4)}function w(e){return(e??`online`)!==`online`||Te.isOnline()}var Ee=class extends Error{constructor(e){super(`CancelledError`),this.revert=e?.revert,this.silent=e?.silent}};function De(e){let t=!1,n=0,r,i=`pending`,a,o,s=new Promise((e,t)=>{a=e,o=t});s.catch(g);let c=()=>i!==`pending`,l=t=>{if(!c()){let n=new Ee(t);h(n),e.onCancel?.(n)}},u=()=>{t=!0},d=()=>{t=!1},f=()=>Se.isFocused()&&(e.networkMode===`always`||Te.isOnline())&&e.canRun(),p=()=>w(e.networkMode)&&e.canRun(),m=e=>{c()||(r?.(),i=`resolved`,a(e))},h=e=>{c()||(r?.(),i=`rejected`,o(e))},_=t=>new Promise(n=>{r=e=>{(c()||t())&&n(e)},e.onPause?.()}).then(()=>{r=void 0,c()||e.onContinue?.()}),v=()=>{if(c())return;let r,i=n===0?e.initialPromise:void 0;try{r=i??e.fn()}catch(e){r=Promise.reject(e)}Promise.resolve(r).then(m).catch(r=>{if(c())return;let i=e.retry??(be()?0:3),a=e.retryDelay??C,o=typeof a==`function`?a(n,r):a,s=i===!0||typeof i==`number`&&n<i||typeof i==`function`&&i(n,r);t||!s?h(r):(n++,e.onFail?.(n,r),ue(o).then(()=>c()||f()?void 0:_(f)).then(()=>{t?h(r):v()}))})};return{promise:s,status:()=>i,cancel:l,continue:()=>(r?.(),s),cancelRetry:u,continueRetry:d,canStart:p,start:()=>(p()?v():_(p).then(v),s)}}function Oe(e){return{onFetch:(t,n)=>{let r=t.options,i=t.fetchOptions?.meta?.fetchMore?.direction,a=t.state.data?.pages||[],o=t.state.data?.pageParams||[],s={pages:[],pageParams:[]},c=0,l=async()=>{let n=!1,l=t,u=e=>{ve(e,()=>t.signal,()=>n=!0,l[_e])},d=he(t.options,t.fetchOptions),f=async(e,r,i)=>{if(n)return Promise.reject(t.signal.reason);if(r==null&&e.pages.length)return Promise.resolve(e);let a=(()=>{let e={client:t.client,queryKey:t.queryKey,pageParam:r,direction:i?`backward`:`forward`,meta:t.options.meta};return u(e),e})(),o=await d(a),{maxPages:s}=t.options,c=i?pe:fe;return{pages:c(e.pages,o,s),pageParams:c(e.pageParams,r,s)}};if(i&&a.length){let e=i===`backward`,t=e?Ae:ke,n={pages:a,pageParams:o};s=await f(n,t(r,n),e)}else{let t=e??a.length;do{let e=c===0?o[0]===void 0?r.initialPageParam:o[0]:ke(r,s);if(c>0&&e==null)break;s=await f(s,e),c++}while(c<t)}return s};t.fetchFn=t.options.persister?()=>t.options.persister?.(l,{client:t.client,queryKey:t.queryKey,meta:t.options.meta,signal:t.signal},n):l}}}function ke(e,{pages:t,pageParams:n}){let r=t.length-1;return t.length>0?e.getNextPageParam(t[r],t,n[r],n):void 0}function Ae(e,{pages:t,pageParams:n}){return t.length>0?e.getPreviousPageParam?.(t[0],t,n[0],n):void 0}function T(e,t){return t?ke(e,t)!=null:!1}function je(e,t){return!t||!e.getPreviousPageParam?!1:Ae(e,t)!=null}var Me=class{#e;destroy(){this.clearGcTimeout()}scheduleGc(){this.clearGcTimeout(),v(this.gcTime)&&(this.#e=p.setTimeout(()=>{this.optionalRemove()},this.gcTime))}updateGcTime(e){this.gcTime=Math.max(this.gcTime||0,e??(be()?1/0:3e5))}clearGcTimeout(){this.#e!==void 0&&(p.clearTimeout(this.#e),this.#e=void 0)}},Ne=class extends Me{#e;#t;#n;#r;#i;#a;#o;#s;#c;constructor(e){super(),this.#c=!1,this.#s=e.defaultOptions,this.setOptions(e.options),this.observers=[],this.#i=e.client,this.#r=this.#i.getQueryCache(),this.queryKey=e.queryKey,this.queryHash=e.queryHash,this.#t=Ie(this.options),this.state=e.state??this.#t,this.scheduleGc()}get meta(){return this.options.meta}get queryType(){return this.#e}get promise(){return this.#a?.promise}setOptions(e){if(this.options={...this.#s,...e},e?._type&&(this.#e=e._type),this.updateGcTime(this.options.gcTime),this.state&&this.state.data===void 0){let e=Ie(this.options);e.data!==void 0&&(this.setState(Fe(e.data,e.dataUpdatedAt)),this.#t=e)}}optionalRemove(){!this.observers.length&&this.state.fetchStatus===`idle`&&this.#r.remove(this)}setData(e,t){let n=de(this.state.data,e,this.options);return this.#l({data:n,type:`success`,dataUpdatedAt:t?.updatedAt,manual:t?.manual}),n}setState(e){this.#l({type:`setState`,state:e})}cancel(e){let t=this.#a?.promise;return this.#a?.cancel(e),t?t.then(g).catch(g):Promise.resolve()}destroy(){super.destroy(),this.cancel({silent:!0})}get resetState(){return this.#t}reset(){this.destroy(),this.setState(this.resetState)}isActive(){return this.observers.some(e=>b(e.options.enabled,this)!==!1)}isDisabled(){return this.getObserversCount()>0?!this.isActive():this.options.queryFn===me||!this.isFetched()}isFetched(){return this.state.dataUpdateCount+this.state.errorUpdateCount>0}isStatic(){return this.state.data!==void 0&&this.getObserversCount()>0&&this.observers.some(e=>b(e.options.staleTime,this)===`static`)}isStale(){return this.getObserversCount()>0?this.observers.some(e=>e.getCurrentResult().isStale):this.state.data===void 0||this.state.isInvalidated}isStaleByTime(e=0){return this.state.data===void 0?!0:e===`static`?!1:this.state.isInvalidated?!0:!y(this.state.dataUpdatedAt,e)}onFocus(){this.observers.find(e=>e.shouldFetchOnWindowFocus())?.refetch({cancelRefetch:!1}),this.#a?.continue()}onOnline(){this.observers.find(e=>e.shouldFetchOnReconnect())?.refetch({cancelRefetch:!1}),this.#a?.continue()}addObserver(e){this.observers.includes(e)||(this.observers.push(e),this.clearGcTimeout(),this.#r.notify({type:`observerAdded`,query:this,observer:e}))}removeObserver(e){let t=this.observers.indexOf(e);t!==-1&&(this.observers.splice(t,1),this.observers.length||(this.#a&&(this.#c||this.state.fetchStatus===`paused`&&this.state.status===`pending`?this.#a.cancel({revert:!0}):this.#a.cancelRetry()),this.scheduleGc()),this.#r.notify({type:`observerRemoved`,query:this,observer:e}))}getObserversCount(){return this.observers.length}invalidate(){this.state.isInvalidated||this.#l({type:`invalidate`})}async fetch(e,t){if(this.state.fetchStatus!==`idle`&&this.#a?.status()!==`rejected`){if(this.state.data!==void 0&&t?.cancelRefetch)this.cancel({silent:!0});else if(this.#a&&this.#o)return this.#a.continueRetry(),this.#o}if(e&&this.setOptions(e),!this.options.queryFn){let e=this.observers.find(e=>e.options.queryFn);e&&this.setOptions(e.options)}let n=new AbortController,r=e=>{Object.defineProperties(e,{[_e]:{value:n.signal,enumerable:!0},signal:{enumerable:!0,get:()=>(this.#c=!0,n.signal)}})},i=()=>{let e=he(this.options,t),n=(()=>{let e={client:this.#i,queryKey:this.queryKey,meta:this.meta};return r(e),e})();return this.#c=!1,this.options.persister?this.options.persister(e,n,this):e(n)},a=(()=>{let e={fetchOptions:t,options:this.options,queryKey:this.queryKey,client:this.#i,state:this.state,fetchFn:i};return r(e),e})();(this.#e===`infinite`?Oe(this.options.pages):this.options.behavior)?.onFetch(a,this),this.#n=this.state,(this.state.fetchStatus===`idle`||this.state.fetchMeta!==a.fetchOptions?.meta)&&this.#l({type:`fetch`,meta:a.fetchOptions?.meta});let o=this.#a=De({initialPromise:t?.initialPromise,fn:a.fetchFn,onCancel:e=>{e instanceof Ee&&e.revert&&this.setState({...this.#n,fetchStatus:`idle`}),n.abort()},onFail:(e,t)=>{this.#l({type:`failed`,failureCount:e,error:t})},onPause:()=>{this.#l({type:`pause`})},onContinue:()=>{this.#l({type:`continue`})},retry:a.options.retry,retryDelay:a.options.retryDelay,networkMode:a.options.networkMode,canRun:()=>!0}),s=(async()=>{try{let e=await o.promise;if(e===void 0)throw Error(`${this.queryHash} data is undefined`);return this.setData(e),this.#r.config.onSuccess?.(e,this),this.#r.config.onSettled?.(e,this.state.error,this),e}catch(e){if(e instanceof Ee){if(e.silent){if(this.#a!==o&&this.#o)return this.#o;throw e}if(e.revert){if(this.state.data===void 0)throw e;return this.state.data}}throw this.#l({type:`error`,error:e}),this.#r.config.onError?.(e,this),this.#r.config.onSettled?.(this.state.data,e,this),e}finally{this.#a===o&&(this.#a=void 0,this.#o=void 0),this.scheduleGc()}})();return this.#o=s,o.start(),s}#l(e){let t=t=>{switch(e.type){case`failed`:return{...t,fetchFailureCount:e.failureCount,fetchFailureReason:e.error};case`pause`:return{...t,fetchStatus:`paused`};case`continue`:return{...t,fetchStatus:`fetching`};case`fetch`:return{...t,...Pe(t.data,this.options),fetchMeta:e.meta??null};case`success`:{let n={...t,...Fe(e.data,e.dataUpdatedAt),dataUpdateCount:t.dataUpdateCount+1,...!e.manual&&{fetchStatus:`idle`,fetchFailureCount:0,fetchFailureReason:null}};return this.#n=e.manual?n:void 0,n}case`error`:{let n=e.error;return{...t,error:n,errorUpdateCount:t.errorUpdateCount+1,errorUpdatedAt:Date.now(),fetchFailureCount:t.fetchFailureCount+1,fetchFailureReason:n,fetchStatus:`idle`,status:`error`,isInvalidated:!0}}case`invalidate`:return{...t,isInvalidated:!0};case`setState`:return{...t,...e.state}}};this.state=t(this.state),S.batch(()=>{this.observers.slice().forEach(e=>{e.onQueryUpdate()}),this.#r.notify({query:this,type:`updated`,action:e})})}};function Pe(e,t){return{fetchFailureCount:0,fetchFailureReason:null,fetchStatus:w(t.networkMode)?`fetching`:`paused`,...e===void 0&&{error:null,status:`pending`}}}function Fe(e,t){return{data:e,dataUpdatedAt:t??Date.now(),error:null,isInvalidated:!1,status:`success`}}function Ie(e){let t=typeof e.initialData==`function`?e.initialData():e.initialData,n=t!==void 0,r=n?typeof e.initialDataUpdatedAt==`function`?e.initialDataUpdatedAt():e.initialDataUpdatedAt:0;return{data:t,dataUpdateCount:0,dataUpdatedAt:n?r??Date.now():0,error:null,errorUpdateCount:0,errorUpdatedAt:0,fetchFailureCount:0,fetchFailureReason:null,fetchMeta:null,isInvalidated:!1,status:n?`success`:`pending`,fetchStatus:`idle`}}var Le=class extends xe{#e;#t=void 0;#n=void 0;#r=void 0;#i;#a;#o;#s;#c;#l;#u;#d;#f;#p=new Set;constructor(e,t){super(),this.options=t,this.#e=e,this.#o=null,this.bindMethods(),this.setOptions(t)}bindMethods(){this.refetch=this.refetch.bind(this)}onSubscribe(){this.listeners.size===1&&(this.#t.addObserver(this),ze(this.#t,this.options)?this.#m():this.updateResult(),this.#y())}onUnsubscribe(){this.hasListeners()||this.destroy()}shouldFetchOnReconnect(){return Be(this.#t,this.options,this.options.refetchOnReconnect)}shouldFetchOnWindowFocus(){return Be(this.#t,this.options,this.options.refetchOnWindowFocus)}destroy(){this.listeners=new Set,this.#b(),this.#x(),this.#t.removeObserver(this)}setOptions(e){let t=this.options,n=this.#t;if(this.options=this.#e.defaultQueryOptions(e),this.options.enabled!==void 0&&typeof this.options.enabled!=`boolean`&&typeof this.options.enabled!=`function`&&typeof b(this.options.enabled,this.#t)!=`boolean`)throw Error(`Expected enabled to be a boolean or a callback that returns a boolean`);this.#S(),this.#t.setOptions(this.options),t._defaulted&&!oe(this.options,t)&&this.#e.getQueryCache().notify({type:`observerOptionsUpdated`,query:this.#t,observer:this});let r=this.hasListeners();r&&Ve(this.#t,n,this.options,t)&&this.#m(),this.updateResult(),r&&(this.#t!==n||b(this.options.enabled,this.#t)!==b(t.enabled,this.#t)||b(this.options.staleTime,this.#t)!==b(t.staleTime,this.#t))&&this.#g();let i=this.#_();r&&(this.#t!==n||b(this.options.enabled,this.#t)!==b(t.enabled,this.#t)||i!==this.#f)&&this.#v(i)}getOptimisticResult(e){let t=this.#e.getQueryCache().build(this.#e,e),n=this.createResult(t,e);return oe(this.getCurrentResult(),n)||(this.#r=n,this.#a=this.options,this.#i=this.#t.state),n}getCurrentResult(){return this.#r}trackResult(e,t){return new Proxy(e,{get:(e,n)=>(this.trackProp(n),t?.(n),Reflect.get(e,n))})}trackProp(e){this.#p.add(e)}getCurrentQuery(){return this.#t}refetch({...e}={}){return this.fetch({...e})}fetchOptimistic(e){let t=this.#e.defaultQueryOptions(e),n=this.#e.getQueryCache().build(this.#e,t),r=()=>{},i,a=new Promise(e=>{i=e,r=this.#e.getQueryCache().subscribe(i=>{i.type===`updated`&&i.query.queryHash===n.queryHash&&n.state.data!==void 0&&(r(),e(this.createResult(n,t)))})});return Promise.race([n.fetch(t).then(()=>{let e=this.createResult(n,t);return i?.(e),e}).finally(()=>{r()}),a])}fetch(e){return this.#m({...e,cancelRefetch:e.cancelRefetch??!0}).then(()=>(this.updateResult(),this.#r))}#m(e){this.#S();let t=this.#t.fetch(this.options,e);return e?.throwOnError||(t=t.catch(g)),t}#h(e){return!be()&&b(this.options.enabled,this.#t)!==!1&&v(e)}#g(){this.#b();let e=b(this.options.staleTime,this.#t);if(this.#r.isStale||!this.#h(e))return;let t=y(this.#r.dataUpdatedAt,e)+1;this.#u=p.setTimeout(()=>{this.#r.isStale||this.updateResult()},t)}#_(){return b(this.options.refetchInterval,this.#t)??!1}#v(e){this.#x(),this.#f=e,this.#f!==0&&this.#h(this.#f)&&(this.#d=p.setInterval(()=>{(this.options.refetchIntervalInBackground||Se.isFocused())&&this.#m()},this.#f))}#y(){this.#g(),this.#v(this.#_())}#b(){this.#u!==void 0&&(p.clearTimeout(this.#u),this.#u=void 0)}#x(){this.#d!==void 0&&(p.clearInterval(this.#d),this.#d=void 0)}createResult(e,t){let n=this.#t,r=this.options,i=this.#r,a=this.#i,o=this.#a,s=e===n?this.#n:e.state,{state:c}=e,l={...c},u=!1,d;if(t._optimisticResults){let i=this.hasListeners(),a=!i&&ze(e,t),o=i&&Ve(e,n,t,r);(a||o)&&(l={...l,...Pe(c.data,e.options)}),t._optimisticResults===`isRestoring`&&(l.fetchStatus=`idle`)}let{error:f,errorUpdatedAt:p,status:m}=l;d=l.data;let h=!1;if(t.placeholderData!==void 0&&d===void 0&&m===`pending`){let e;i?.isPlaceholderData&&t.placeholderData===o?.placeholderData?(e=i.data,h=!0):e=typeof t.placeholderData==`function`?t.placeholderData(this.#l?.state.data,this.#l):t.placeholderData,e!==void 0&&(m=`success`,d=de(i?.data,e,t),u=!0)}if(t.select&&d!==void 0&&!h){if(i&&d===a?.data&&t.select===this.#s)d=this.#c;else try{this.#s=t.select,d=t.select(d),d=de(i?.data,d,t),this.#c=d,this.#o=null}catch(e){this.#o=e}}else d===void 0&&(this.#o=null);this.#o&&(f=this.#o,d=this.#c,p=i?.error===f?i.errorUpdatedAt:Date.now(),m=`error`,u=!1);let g=l.fetchStatus===`fetching`,_=m===`pending`,v=m===`error`,y=_&&g,ee=d!==void 0;return{status:m,fetchStatus:l.fetchStatus,isPending:_,isSuccess:m===`success`,isError:v,isInitialLoading:y,isLoading:y,data:d,dataUpdatedAt:l.dataUpdatedAt,error:f,errorUpdatedAt:p,failureCount:l.fetchFailureCount,failureReason:l.fetchFailureReason,errorUpdateCount:l.errorUpdateCount,isFetched:e.isFetched(),isFetchedAfterMount:l.dataUpdateCount>s.dataUpdateCount||l.errorUpdateCount>s.errorUpdateCount,isFetching:g,isRefetching:g&&!_,isLoadingError:v&&!ee,isPaused:l.fetchStatus===`paused`,isPlaceholderData:u,isRefetchError:v&&ee,isStale:He(e,t),refetch:this.refetch,isEnabled:b(t.enabled,e)!==!1}}updateResult(){let e=this.#r,t=this.createResult(this.#t,this.options);if(this.#i=this.#t.state,this.#a=this.options,this.#i.data!==void 0&&(this.#l=this.#t),oe(t,e))return;this.#r=t;let n=(()=>{if(!e)return!0;let{notifyOnChangeProps:t}=this.options,n=typeof t==`function`?t():t;if(n===`all`||!n&&!this.#p.size||this.options.throwOnError&&this.#r.error!==e.error)return!0;for(let t of n??this.#p)if(this.#r[t]!==e[t])return!0;return!1})();S.batch(()=>{n&&this.listeners.forEach(e=>{e(this.#r)}),this.#e.getQueryCache().notify({query:this.#t,type:`observerResultsUpdated`})})}#S(){let e=this.#e.getQueryCache().build(this.#e,this.options);if(e===this.#t)return;let t=this.#t;this.#t=e,this.#n=e.state,this.hasListeners()&&(t?.removeObserver(this),e.addObserver(this))}onQueryUpdate(){this.updateResult(),this.hasListeners()&&this.#y()}};function Re(e,t){return b(t.enabled,e)!==!1&&e.state.data===void 0&&(e.state.status!==`error`||b(t.retryOnMount,e)!==!1)}function ze(e,t){return Re(e,t)||e.state.data!==void 0&&Be(e,t,t.refetchOnMount)}function Be(e,t,n){if(b(t.enabled,e)!==!1&&b(t.staleTime,e)!==`static`){let r=b(n,e);return r===`always`||r!==!1&&He(e,t)}return!1}function Ve(e,t,n,r){return(e!==t||b(r.enabled,e)===!1)&&(!n.suspense||e.state.status!==`error`)&&He(e,n)}function He(e,t){return b(t.enabled,e)!==!1&&e.isStaleByTime(b(t.staleTime,e))}var Ue=class extends Le{constructor(e,t){super(e,t)}bindMethods(){super.bindMethods(),this.fetchNextPage=this.fetchNextPage.bind(this),this.fetchPreviousPage=this.fetchPreviousPage.bind(this)}setOptions(e){e._type=`infinite`,super.setOptions(e)}getOptimisticResult(e){return e._type=`infinite`,super.getOptimisticResult(e)}fetchNextPage(e){return this.fetch({...e,meta:{fetchMore:{direction:`forward`}}})}fetchPreviousPage(e){return this.fetch({...e,meta:{fetchMore:{direction:`backward`}}})}createResult(e,t){let{state:n}=e,r=super.createResult(e,t),{isFetching:i,isRefetching:a,isError:o,isRefetchError:s}=r,c=n.fetchMeta?.fetchMore?.direction,l=o&&c===`forward`,u=i&&c===`forward`,d=o&&c===`backward`,f=i&&c===`backward`;return{...r,fetchNextPage:this.fetchNextPage,fetchPreviousPage:this.fetchPreviousPage,hasNextPage:T(t,n.data),hasPreviousPage:je(t,n.data),isFetchNextPageError:l,isFetchingNextPage:u,isFetchPreviousPageError:d,isFetchingPreviousPage:f,isRefetchError:s&&!l&&!d,isRefetching:a&&!u&&!f}}},We=class extends Me{#e;#t;#n;#r;constructor(e){super(),this.#e=e.client,this.mutationId=e.mutationId,this.#n=e.mutationCache,this.#t=[],this.state=e.state||Ge(),this.setOptions(e.options),this.scheduleGc()}setOptions(e){this.options=e,this.updateGcTime(this.options.gcTime)}get meta(){return this.options.meta}addObserver(e){this.#t.includes(e)||(this.#t.push(e),this.clearGcTimeout(),this.#n.notify({type:`observerAdded`,mutation:this,observer:e}))}removeObserver(e){this.#t=this.#t.filter(t=>t!==e),this.scheduleGc(),this.#n.notify({type:`observerRemoved`,mutation:this,observer:e})}optionalRemove(){this.#t.length||(this.state.status===`pending`?this.scheduleGc():this.#n.remove(this))}continue(){return this.#r?.continue()??(this.state.status===`pending`?this.execute(this.state.variables):Promise.resolve())}async execute(e){let t=()=>{this.#i({type:`continue`})},n={client:this.#e,meta:this.options.meta,mutationKey:this.options.mutationKey},r=this.#r=De({fn:()=>this.options.mutationFn?this.options.mutationFn(e,n):Promise.reject(Error(`No mutationFn found`)),onFail:(e,t)=>{this.#i({type:`failed`,failureCount:e,error:t})},onPause:()=>{this.#i({type:`pause`})},onContinue:t,retry:this.options.retry??0,retryDelay:this.options.retryDelay,networkMode:this.options.networkMode,canRun:()=>this.#n.canRun(this)}),i=this.state.status===`pending`,a=!r.canStart();try{if(i)t();else{this.#i({type:`pending`,variables:e,isPaused:a}),this.#n.config.onMutate&&await this.#n.config.onMutate(e,this,n);let t=await this.options.onMutate?.(e,n);t!==this.state.context&&this.#i({type:`pending`,context:t,variables:e,isPaused:a})}this.state.isPaused&&r.canStart()&&t();let o=await r.start();return await this.#n.config.onSuccess?.(o,e,this.state.context,this,n),await this.options.onSuccess?.(o,e,this.state.context,n),await this.#n.config.onSettled?.(o,null,this.state.variables,this.state.context,this,n),await this.options.onSettled?.(o,null,e,this.state.context,n),this.#i({type:`success`,data:o}),o}catch(t){try{await this.#n.config.onError?.(t,e,this.state.context,this,n)}catch(e){Promise.reject(e)}try{await this.options.onError?.(t,e,this.state.context,n)}catch(e){Promise.reject(e)}try{await this.#n.config.onSettled?.(void 0,t,this.state.variables,this.state.context,this,n)}catch(e){Promise.reject(e)}try{await this.options.onSettled?.(void 0,t,e,this.state.context,n)}catch(e){Promise.reject(e)}throw this.#i({type:`error`,error:t}),t}finally{this.#r===r&&(this.#r=void 0),this.#n.runNext(this)}}#i(e){let t=t=>{switch(e.type){case`failed`:return{...t,failureCount:e.failureCount,failureReason:e.error};case`pause`:return{...t,isPaused:!0};case`continue`:return{...t,isPaused:!1};case`pending`:return{...t,context:e.context,data:void 0,failureCount:0,failureReason:null,error:null,isPaused:e.isPaused,status:`pending`,variables:e.variables,submittedAt:Date.now()};case`success`:return{...t,data:e.data,failureCount:0,failureReason:null,error:null,status:`success`,isPaused:!1};case`error`:return{...t,data:void 0,error:e.error,failureCount:t.failureCount+1,failureReason:e.error,isPaused:!1,status:`error`}}};this.state=t(this.state),S.batch(()=>{this.#t.forEach(t=>{t.onMutationUpdate(e)}),this.#n.notify({mutation:this,type:`updated`,action:e})})}};function Ge(){return{context:void 0,data:void 0,error:null,failureCount:0,failureReason:null,isPaused:!1,status:`idle`,variables:void 0,submittedAt:0}}var Ke=class extends xe{#e;#t;#n;constructor(e={}){super(),this.config=e,this.#e=new Set,this.#t=new Map,this.#n=0}build(e,t,n){let r=new We({client:e,mutationCache:this,mutationId:++this.#n,options:e.defaultMutationOptions(t),state:n});return this.add(r),r}add(e){this.#e.add(e);let t=qe(e);if(typeof t==`string`){let n=this.#t.get(t);n?n.push(e):this.#t.set(t,[e])}this.notify({type:`added`,mutation:e})}remove(e){if(this.#e.delete(e)){let t=qe(e);if(typeof t==`string`){let n=this.#t.get(t);if(n){if(n.length>1){let t=n.indexOf(e);t!==-1&&n.splice(t,1)}else n[0]===e&&this.#t.delete(t)}}}this.notify({type:`removed`,mutation:e})}canRun(e){let t=qe(e);if(typeof t==`string`){let n=this.#t.get(t)?.find(e=>e.state.status===`pending`);return!n||n===e}return!0}runNext(e){let t=qe(e);return typeof t==`string`?(this.#t.get(t)?.find(t=>t!==e&&t.state.isPaused))?.continue()??Promise.resolve():Promise.resolve()}clear(){S.batch(()=>{let e=this.getAll();this.#e.clear(),this.#t.clear(),e.forEach(e=>{this.notify({type:`removed`,mutation:e})})})}getAll(){return Array.from(this.#e)}find(e){let t={exact:!0,...e};return this.getAll().find(e=>te(t,e))}findAll(e={}){return this.getAll().filter(t=>te(e,t))}notify(e){S.batch(()=>{this.listeners.forEach(t=>{t(e)})})}resumePausedMutations(){let e=this.getAll().filter(e=>e.state.isPaused);return S.batch(()=>Promise.all(e.map(e=>e.continue().catch(g))))}};function qe(e){return e.options.scope?.id}var Je=class extends xe{#e;#t=void 0;#n;#r;constructor(e,t){super(),this.#e=e,this.setOptions(t),this.bindMethods(),this.#i()}bindMethods(){this.mutate=this.mutate.bind(this),this.reset=this.reset.bind(this)}setOptions(e){let t=this.options;this.options=this.#e.defaultMutationOptions(e),oe(this.options,t)||this.#e.getMutationCache().notify({type:`observerOptionsUpdated`,mutation:this.#n,observer:this}),t?.mutationKey&&this.options.mutationKey&&re(t.mutationKey)!==re(this.options.mutationKey)?this.reset():this.#n?.state.status===`pending`&&this.#n.setOptions(this.options)}onSubscribe(){this.listeners.size===1&&this.#n&&(this.#n.addObserver(this),this.#i())}onUnsubscribe(){this.hasListeners()||this.#n?.removeObserver(this)}onMutationUpdate(e){this.#i(),this.#a(e)}getCurrentResult(){return this.#t}reset(){this.#n?.removeObserver(this),this.#n=void 0,this.#i(),this.#a()}mutate(e,t){return this.#r=t,this.#n?.removeObserver(this),this.#n=this.#e.getMutationCache().build(this.#e,this.options),this.#n.addObserver(this),this.#n.execute(e)}#i(){let e=this.#n?.state??Ge();this.#t={...e,isPending:e.status===`pending`,isSuccess:e.status===`success`,isError:e.status===`error`,isIdle:e.status===`idle`,mutate:this.mutate,reset:this.reset}}#a(e){S.batch(()=>{let t=this.#r;if(t&&this.hasListeners()){let n=this.#t.variables,r=this.#t.context,i={client:this.#e,meta:this.options.meta,mutationKey:this.options.mutationKey};if(e?.type===`success`){try{t.onSuccess?.(e.data,n,r,i)}catch(e){Promise.reject(e)}try{t.onSettled?.(e.data,null,n,r,i)}catch(e){Promise.reject(e)}}else if(e?.type===`error`){try{t.onError?.(e.error,n,r,i)}catch(e){Promise.reject(e)}try{t.onSettled?.(void 0,e.error,n,r,i)}catch(e){Promise.reject(e)}}}this.listeners.forEach(e=>{e(this.#t)})})}};function Ye(e,t){let n=new Set(t);return e.filter(e=>!n.has(e))}var Xe=class extends xe{#e;#t;#n;#r;#i;#a;#o;#s;#c;#l=[];constructor(e,t,n){super(),this.#e=e,this.#r=n,this.#n=[],this.#i=[],this.#t=[],this.setQueries(t)}onSubscribe(){this.listeners.size===1&&this.#i.forEach(e=>{e.subscribe(t=>{this.#m(e,t)})})}onUnsubscribe(){this.listeners.size||this.destroy()}destroy(){this.listeners=new Set,this.#i.forEach(e=>{e.destroy()})}setQueries(e,t){this.#n=e,this.#r=t,S.batch(()=>{let e=this.#i,t=this.#p(this.#n);t.forEach(e=>e.observer.setOptions(e.defaultedQueryOptions));let n=t.map(e=>e.observer),r=n.map(e=>e.getCurrentResult()),i=e.length!==n.length,a=n.some((t,n)=>t!==e[n]),o=i||a,s=o?!0:r.some((e,t)=>{let n=this.#t[t];return!n||!oe(e,n)});(o||s)&&(o&&(this.#l=t,this.#i=n),this.#t=r,this.hasListeners()&&(o&&(Ye(e,n).forEach(e=>{e.destroy()}),Ye(n,e).forEach(e=>{e.subscribe(t=>{this.#m(e,t)})})),this.#h()))})}getCurrentResult(){return this.#t}getQueries(){return this.#i.map(e=>e.getCurrentQuery())}getObservers(){return this.#i}getOptimisticResult(e,t){let n=this.#p(e),r=n.map(e=>e.observer.getOptimisticResult(e.defaultedQueryOptions)),i=n.map(e=>e.defaultedQueryOptions.queryHash);return[r,e=>this.#d(e??r,t,i),()=>this.#u(r,n)]}#u(e,t){let n=new Set;return t.map((r,i)=>{let a=e[i];return r.defaultedQueryOptions.notifyOnChangeProps?a:r.observer.trackResult(a,e=>{n.has(e)||(n.add(e),t.forEach(t=>{t.observer.trackProp(e)}))})})}#d(e,t,n){if(t){let r=this.#c,i=n!==void 0&&r!==void 0&&(r.length!==n.length||n.some((e,t)=>e!==r[t]));return(this.#t!==this.#s||i||t!==this.#o)&&(this.#o=t,this.#s=this.#t,n!==void 0&&(this.#c=n),this.#a=ae(this.#a,t(e))),this.#a}return e}#f(){return!this.#r?.combine||this.#i.some((e,t)=>e.options.suspense&&this.#t[t]?.data===void 0)}#p(e){let t=new Map;this.#i.forEach(e=>{let n=e.options.queryHash;if(!n)return;let r=t.get(n);r?r.push(e):t.set(n,[e])});let n=[];return e.forEach(e=>{let r=this.#e.defaultQueryOptions(e),i=t.get(r.queryHash)?.shift()??new Le(this.#e,r);n.push({defaultedQueryOptions:r,observer:i})}),n}#m(e,t){let n=this.#i.indexOf(e);n!==-1&&(this.#t=this.#t.slice(),this.#t[n]=t,this.#h())}#h(){if(this.hasListeners()){let e=this.#f(),t=this.#a,n=e?t:this.#d(this.#u(this.#t,this.#l),this.#r?.combine);(e||t!==n)&&S.batch(()=>{this.listeners.forEach(e=>{e(this.#t)})})}}},Ze=class extends xe{#e;constructor(e={}){super(),this.config=e,this.#e=new Map}build(e,t,n){let r=t.queryKey,i=t.queryHash??ne(r,t),a=this.get(i);return a||(a=new Ne({client:e,queryKey:r,queryHash:i,options:e.defaultQueryOptions(t),state:n,defaultOptions:e.getQueryDefaults(r)}),this.add(a)),a}add(e){this.#e.has(e.queryHash)||(this.#e.set(e.queryHash,e),this.notify({type:`added`,query:e}))}remove(e){this.#e.get(e.queryHash)===e&&(e.destroy(),this.#e.delete(e.queryHash),this.notify({type:`removed`,query:e}))}clear(){S.batch(()=>{this.getAll().forEach(e=>{this.remove(e)})})}get(e){return this.#e.get(e)}getAll(){return[...this.#e.values()]}find(e){let t={exact:!0,...e};return this.getAll().find(e=>ee(t,e))}findAll(e={}){let t=this.getAll();return Object.keys(e).length>0?t.filter(t=>ee(e,t)):t}notify(e){S.batch(()=>{this.listeners.forEach(t=>{t(e)})})}onFocus(){S.batch(()=>{this.getAll().forEach(e=>{e.onFocus()})})}onOnline(){S.batch(()=>{this.getAll().forEach(e=>{e.onOnline()})})}},Qe=class{#e;#t;#n;#r;#i;#a;#o;#s;constructor(e={}){this.#e=e.queryCache||new Ze,this.#t=e.mutationCache||new Ke,this.#n=e.defaultOptions||{},this.#r=new Map,this.#i=new Map,this.#a=0}mount(){this.#a++,this.#a===1&&(this.#o=Se.subscribe(async e=>{e&&(await this.resumePausedMutations(),this.#e.onFocus())}),this.#s=Te.subscribe(async e=>{e&&(await this.resumePausedMutations(),this.#e.onOnline())}))}unmount(){this.#a--,this.#a===0&&(this.#o?.(),this.#o=void 0,this.#s?.(),this.#s=void 0)}isFetching(e){return this.#e.findAll({...e,fetchStatus:`fetching`}).length}isMutating(e){return this.#t.findAll({...e,status:`pending`}).length}getQueryData(e){let t=this.defaultQueryOptions({queryKey:e});return this.#e.get(t.queryHash)?.state.data}ensureQueryData(e){let t=this.defaultQueryOptions(e),n=this.#e.build(this,t),r=n.state.data;return r===void 0?this.fetchQuery(e):(e.revalidateIfStale&&n.isStaleByTime(b(t.staleTime,n))&&this.prefetchQuery(t),Promise.resolve(r))}getQueriesData(e){return this.#e.findAll(e).map(({queryKey:e,state:t})=>[e,t.data])}setQueryData(e,t,n){let r=this.defaultQueryOptions({queryKey:e}),i=this.#e.get(r.queryHash)?.state.data,a=_(t,i);if(a!==void 0)return this.#e.build(this,r).setData(a,{...n,manual:!0})}setQueriesData(e,t,n){return S.batch(()=>this.#e.findAll(e).map(({queryKey:e})=>[e,this.setQueryData(e,t,n)]))}getQueryState(e){let t=this.defaultQueryOptions({queryKey:e});return this.#e.get(t.queryHash)?.state}removeQueries(e){let t=this.#e;S.batch(()=>{t.findAll(e).forEach(e=>{t.remove(e)})})}resetQueries(e,t){let n=this.#e;return S.batch(()=>{let r=n.findAll(e),i=new Set(r);return r.forEach(e=>{e.reset()}),this.refetchQueries({type:`active`,predicate:e=>i.has(e)},t)})}cancelQueries(e,t={}){let n={revert:!0,...t},r=S.batch(()=>this.#e.findAll(e).map(e=>e.cancel(n)));return Promise.all(r).then(g).catch(g)}invalidateQueries(e,t={}){return S.batch(()=>(this.#e.findAll(e).forEach(e=>{e.invalidate()}),e?.refetchType===`none`?Promise.resolve():this.refetchQueries({...e,type:e?.refetchType??e?.type??`active`},t)))}refetchQueries(e,t={}){let n={...t,cancelRefetch:t.cancelRefetch??!0},r=S.batch(()=>this.#e.findAll(e).filter(e=>!e.isDisabled()&&!e.isStatic()).map(e=>{let t=e.fetch(void 0,n),r=e.state.fetchStatus===`paused`;return(!n.throwOnError||r)&&(t=t.catch(g)),r?Promise.resolve():t}));return Promise.all(r).then(g)}async query(e){let t=this.defaultQueryOptions(e);t.retry===void 0&&(t.retry=!1);let n=this.#e.build(this,t),r=n.isStaleByTime(b(t.staleTime,n))?await n.fetch(t):n.state.data,i=t.select;return i?i(r):r}fetchQuery(e){let t=this.defaultQueryOptions(e);t.retry===void 0&&(t.retry=!1);let n=this.#e.build(this,t);return n.isStaleByTime(b(t.staleTime,n))?n.fetch(t):Promise.resolve(n.state.data)}prefetchQuery(e){return this.fetchQuery(e).then(g).catch(g)}infiniteQuery(e){return e._type=`infinite`,this.query(e)}fetchInfiniteQuery(e){return e._type=`infinite`,this.fetchQuery(e)}prefetchInfiniteQuery(e){return this.fetchInfiniteQuery(e).then(g).catch(g)}ensureInfiniteQueryData(e){return e._type=`infinite`,this.ensureQueryData(e)}resumePausedMutations(){return Te.isOnline()?this.#t.resumePausedMutations():Promise.resolve()}getQueryCache(){return this.#e}getMutationCache(){return this.#t}getDefaultOptions(){return this.#n}setDefaultOptions(e){this.#n=e}setQueryDefaults(e,t){this.#r.set(re(e),{queryKey:e,defaultOptions:t})}getQueryDefaults(e){let t=[...this.#r.values()],n={};return t.forEach(t=>{x(e,t.queryKey)&&Object.assign(n,t.defaultOptions)}),n}setMutationDefaults(e,t){this.#i.set(re(e),{mutationKey:e,defaultOptions:t})}getMutationDefaults(e){let t=[...this.#i.values()],n={};return t.forEach(t=>{x(e,t.mutationKey)&&Object.assign(n,t.defaultOptions)}),n}defaultQueryOptions(e){if(e._defaulted)return e;let t={...this.#n.queries,...this.getQueryDefaults(e.queryKey),...e,_defaulted:!0};return t.queryHash||=ne(t.queryKey,t),t.refetchOnReconnect===void 0&&(t.refetchOnReconnect=t.networkMode!==`always`),t.throwOnError===void 0&&(t.throwOnError=!!t.suspense),!t.networkMode&&t.persister&&(t.networkMode=`offlineFirst`),t.queryFn===me&&(t.enabled=!1),t}defaultMutationOptions(e){return e?._defaulted?e:{...this.#n.mutations,...e?.mutationKey&&this.getMutationDefaults(e.mutationKey),...e,_defaulted:!0}}clear(){this.#e.clear(),this.#t.clear()}},$e=s.createContext(!1),et=()=>s.useContext($e);$e.Provider;function tt(){let e=!1;return{clearReset:()=>{e=!1},reset:()=>{e=!0},isReset:()=>e}}var nt=s.createContext(tt()),rt=()=>s.useContext(nt),it=(e,t,n)=>{let r=n?.state.status===`error`&&typeof e.throwOnError==`function`?ge(e.throwOnError,[n.state.error,n]):e.throwOnError;(e.suspense||r)&&(t.isReset()||(e.retryOnMount=!1))},at=e=>{s.useEffect(()=>{e.clearReset()},[e])},ot=({result:e,errorResetBoundary:t,throwOnError:n,query:r,suspense:i})=>e.isError&&!t.isReset()&&!e.isFetching&&r&&(i&&e.data===void 0||ge(n,[e.error,r])),st=e=>{if(e.suspense){let t=1e3,n=e=>e===`static`?e:Math.max(e??t,t),r=e.staleTime;e.staleTime=typeof r==`function`?(...e)=>n(r(...e)):n(r),typeof e.gcTime==`number`&&(e.gcTime=Math.max(e.gcTime,t))}},ct=(e,t)=>e?.suspense&&t.isPending,lt=(e,t,n)=>t.fetchOptimistic(e).catch(()=>{n.clearReset()});function ut({queries:e,...t},n){let r=u(n),i=et(),a=rt(),o=t.subscribed!==!1,c=s.useMemo(()=>e.map(e=>{let t=r.defaultQueryOptions(e);return t._optimisticResults=i?`isRestoring`:o?`optimistic`:void 0,t}),[e,r,i,o]);c.forEach(e=>{st(e);let t=r.getQueryCache().get(e.queryHash);it(e,a,t)}),at(a);let[l]=s.useState(()=>new Xe(r,c,t)),[d,f,p]=l.getOptimisticResult(c,t.combine);s.useEffect(()=>{l.setQueries(c,t)},[c,t,l]);let m=!i&&o;s.useSyncExternalStore(s.useCallback(e=>m?l.subscribe(S.batchCalls(e)):g,[l,m]),()=>l.getCurrentResult(),()=>l.getCurrentResult());let h=d.some((e,t)=>ct(c[t],e))?d.flatMap((e,t)=>{let n=c[t];return n&&ct(n,e)?lt(n,new Le(r,n),a):[]}):[];if(h.length>0)throw Promise.all(h);let _=d.find((e,t)=>{let n=c[t];return n&&ot({result:e,errorResetBoundary:a,throwOnError:n.throwOnError,query:r.getQueryCache().get(n.queryHash),suspense:n.suspense})});if(_)throw _.error;return f(p())}function dt(e,t,n){let r=et(),i=rt(),a=u(n),o=a.defaultQueryOptions(e),c=a.getQueryCache().get(o.queryHash),l=e.subscribed!==!1;o._optimisticResults=r?`isRestoring`:l?`optimistic`:void 0,st(o),it(o,i,c),at(i);let[d]=s.useState(()=>new t(a,o)),f=d.getOptimisticResult(o);s.useEffect(()=>{d.setOptions(o)},[o,d]);let p=!r&&l;if(s.useSyncExternalStore(s.useCallback(e=>{let t=p?d.subscribe(S.batchCalls(e)):g;return d.updateResult(),t},[d,p]),()=>d.getCurrentResult(),()=>d.getCurrentResult()),ct(o,f))throw lt(o,d,i);if(ot({result:f,errorResetBoundary:i,throwOnError:o.throwOnError,query:c,suspense:o.suspense}))throw f.error;return o.notifyOnChangeProps?f:d.trackResult(f)}function ft(e,t){return dt(e,Le,t)}function pt(e,t){let n=u(t),[r]=s.useState(()=>new Je(n,e));s.useEffect(()=>{r.setOptions(e)},[r,e]);let i=s.useSyncExternalStore(s.useCallback(e=>r.subscribe(S.batchCalls(e)),[r]),()=>r.getCurrentResult(),()=>r.getCurrentResult()),a=s.useCallback((...e)=>{r.mutate(e[0],e[1]).catch(g)},[r]);if(i.error&&ge(r.options.throwOnError,[i.error]))throw i.error;return{...i,mutate:a,mutateAsync:i.mutate}}function mt(e,t){return dt(e,Ue,t)}var ht=t((e=>{function t(e,t){var n=e.length;e.push(t);a:for(;0<n;){var r=n-1>>>1,a=e[r];if(0<i(a,t))e[r]=t,e[n]=a,n=r;else break a}}function n(e){return e.length===0?null:e[0]}function r(e){if(e.length===0)return null;var t=e[0],n=e.pop();if(n!==t){e[0]=n;a:for(var r=0,a=e.length,o=a>>>1;r<o;){var s=2*(r+1)-1,c=e[s],l=s+1,u=e[l];if(0>i(c,n))l<a&&0>i(u,c)?(e[r]=u,e[l]=n,r=l):(e[r]=c,e[s]=n,r=s);else if(l<a&&0>i(u,n))e[r]=u,e[l]=n,r=l;else break a}}return t}function i(e,t){var n=e.sortIndex-t.sortIndex;return n===0?e.id-t.id:n}if(e.unstable_now=void 0,typeof performance==`object`&&typeof performance.now==`function`){var a=performance;e.unstable_now=function(){return a.now()}}else{var o=Date,s=o.now();e.unstable_now=function(){return o.now()-s}}var c=[],l=[],u=1,d=null,f=3,p=!1,m=!1,h=!1,g=!1,_=typeof setTimeout==`function`?setTimeout:null,v=typeof clearTimeout==`function`?clearTimeout:null,y=typeof setImmediate<`u`?setImmediate:null;function b(e){for(var i=n(l);i!==null;){if(i.callback===null)r(l);else if(i.startTime<=e)r(l),i.sortIndex=i.expirationTime,t(c,i);else break;i=n(l)}}function ee(e){if(h=!1,b(e),!m){if(n(c)!==null)m=!0,te||(te=!0,oe());else{var t=n(l);t!==null&&le(ee,t.startTime-e)}}}var te=!1,ne=-1,re=5,x=-1;function ie(){return g?!0:!(e.unstable_now()-x<re)}function ae(){if(g=!1,te){var t=e.unstable_now();x=t;var i=!0;try{a:{m=!1,h&&(h=!1,v(ne),ne=-1),p=!0;var a=f;try{b:{for(b(t),d=n(c);d!==null&&!(d.expirationTime>t&&ie());){var o=d.callback;if(typeof o==`function`){d.callback=null,f=d.priorityLevel;var s=o(d.expirationTime<=t);if(t=e.unstable_now(),typeof s==`function`){d.callback=s,b(t),i=!0;break b}d===n(c)&&r(c),b(t)}else r(c);d=n(c)}if(d!==null)i=!0;else{var u=n(l);u!==null&&le(ee,u.startTime-t),i=!1}}break a}finally{d=null,f=a,p=!1}i=void 0}}finally{i?oe():te=!1}}}var oe;if(typeof y==`function`)oe=function(){y(ae)};else if(typeof MessageChannel<`u`){var se=new MessageChannel,ce=se.port2;se.port1.onmessage=ae,oe=function(){ce.postMessage(null)}}else oe=function(){_(ae,0)};function le(t,n){ne=_(function(){t(e.unstable_now())},n)}e.unstable_IdlePriority=5,e.unstable_ImmediatePriority=1,e.unstable_LowPriority=4,e.unstable_NormalPriority=3,e.unstable_Profiling=null,e.unstable_UserBlockingPriority=2,e.unstable_cancelCallback=function(e){e.callback=null},e.unstable_forceFrameRate=function(e){0>e||125<e?console.error(`forceFrameRate takes a positive int between 0 and 125, forcing frame rates higher than 125 fps is not supported`):re=0<e?Math.floor(1e3/e):5},e.unstable_getCurrentPriorityLevel=function(){return f},e.unstable_next=function(e){switch(f){case 1:case 2:case 3:var t=3;break;default:t=f}var n=f;f=t;try{return e()}finally{f=n}},e.unstable_requestPaint=function(){g=!0},e.unstable_runWithPriority=function(e,t){switch(e){case 1:case 2:case 3:case 4:case 5:break;default:e=3}var n=f;f=e;try{return t()}finally{f=n}},e.unstable_scheduleCallback=function(r,i,a){var o=e.unstable_now();switch(typeof a==`object`&&a?(a=a.delay,a=typeof a==`number`&&0<a?o+a:o):a=o,r){case 1:var s=-1;break;case 2:s=250;break;case 5:s=1073741823;break;case 4:s=1e4;break;default:s=5e3}return s=a+s,r={id:u++,callback:i,priorityLevel:r,startTime:a,expirationTime:s,sortIndex:-1},a>o?(r.sortIndex=a,t(l,r),n(c)===null&&r===n(l)&&(h?(v(ne),ne=-1):h=!0,le(ee,a-o))):(r.sortIndex=s,t(c,r),m||p||(m=!0,te||(te=!0,oe()))),r},e.unstable_shouldYield=ie,e.unstable_wrapCallback=function(e){var t=f;return function(){var n=f;f=t;try{return e.apply(this,arguments)}finally{f=n}}}})),gt=t(((e,t)=>{t.exports=ht()})),_t=t((e=>{var t=i();function n(e){var t=`https://react.dev/errors/`+e;if(1<arguments.length){t+=`?args[]=`+encodeURIComponent(arguments[1]);for(var n=2;n<arguments.length;n++)t+=`&args[]=`+encodeURIComponent(arguments[n])}return`Minified React error #`+e+`; visit `+t+` for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`}function r(){}var a={d:{f:r,r:function(){throw Error(n(522))},D:r,C:r,L:r,m:r,X:r,S:r,M:r},p:0,findDOMNode:null},o=Symbol.for(`react.portal`),s=Symbol.for(`react.recoverable`),c=Symbol.for(`react.optimistic_key`);function l(e,t,n){var r=3<arguments.length&&arguments[3]!==void 0?arguments[3]:null;return{$$typeof:o,key:r==null?null:r===c?c:``+r,children:e,containerInfo:t,implementation:n}}var u=t.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;function d(e,t){if(e===`font`)return``;if(typeof t==`string`)return t===`use-credentials`?t:``}e.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=a,e.browser=function(e){return{$$typeof:s,_reason:e}},e.createPortal=function(e,t){var r=2<arguments.length&&arguments[2]!==void 0?arguments[2]:null;if(!t||t.nodeType!==1&&t.nodeType!==9&&t.nodeType!==11)throw Error(n(299));return l(e,t,null,r)},e.flushSync=function(e){var t=u.T,n=a.p;try{if(u.T=null,a.p=2,e)return e()}finally{u.T=t,a.p=n,a.d.f()}},e.preconnect=function(e,t){typeof e==`string`&&(t?(t=t.crossOrigin,t=typeof t==`string`?t===`use-credentials`?t:``:void 0):t=null,a.d.C(e,t))},e.prefetchDNS=function(e){typeof e==`string`&&a.d.D(e)},e.preinit=function(e,t){if(typeof e==`string`&&t&&typeof t.as==`string`){var n=t.as,r=d(n,t.crossOrigin),i=typeof t.integrity==`string`?t.integrity:void 0,o=typeof t.fetchPriority==`string`?t.fetchPriority:void 0;n===`style`?a.d.S(e,typeof t.precedence==`string`?t.precedence:void 0,{crossOrigin:r,integrity:i,fetchPriority:o}):n===`script`&&a.d.X(e,{crossOrigin:r,integrity:i,fetchPriority:o,nonce:typeof t.nonce==`string`?t.nonce:void 0})}},e.preinitModule=function(e,t){if(typeof e==`string`){if(typeof t==`object`&&t){if(t.as==null||t.as===`script`){var n=d(t.as,t.crossOrigin);a.d.M(e,{crossOrigin:n,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0})}}else t??a.d.M(e)}},e.preload=function(e,t){if(typeof e==`string`&&typeof t==`object`&&t&&typeof t.as==`string`){var n=t.as,r=d(n,t.crossOrigin);a.d.L(e,n,{crossOrigin:r,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,type:typeof t.type==`string`?t.type:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0,referrerPolicy:typeof t.referrerPolicy==`string`?t.referrerPolicy:void 0,imageSrcSet:typeof t.imageSrcSet==`string`?t.imageSrcSet:void 0,imageSizes:typeof t.imageSizes==`string`?t.imageSizes:void 0,media:typeof t.media==`string`?t.media:void 0})}},e.preloadModule=function(e,t){if(typeof e==`string`){if(t){var n=d(t.as,t.crossOrigin);a.d.m(e,{as:typeof t.as==`string`&&t.as!==`script`?t.as:void 0,crossOrigin:n,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0})}else a.d.m(e)}},e.requestFormReset=function(e){a.d.r(e)},e.unstable_batchedUpdates=function(e,t){return e(t)},e.useFormState=function(e,t,n){return u.H.useFormState(e,t,n)},e.useFormStatus=function(){return u.H.useHostTransitionStatus()},e.version=`19.3.1`})),vt=t(((e,t)=>{function n(){if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`&&typeof __REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE==`function`)try{__REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE(n)}catch(e){console.error(e)}}n(),t.exports=_t()})),yt=t((e=>{var t=gt(),n=i(),r=vt();function a(e){var t=`https://react.dev/errors/`+e;if(1<arguments.length){t+=`?args[]=`+encodeURIComponent(arguments[1]);for(var n=2;n<arguments.length;n++)t+=`&args[]=`+encodeURIComponent(arguments[n])}return`Minified React error #`+e+`; visit `+t+` for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`}function o(e){return!(!e||e.nodeType!==1&&e.nodeType!==9&&e.nodeType!==11)}function s(e){for(var t=e,n=t;n&&!n.alternate;)t=n,t.flags&4098&&(e=t.return),n=t.return;for(;t.return;)t=t.return;return t.tag===3?e:null}function c(e){if(e.tag===13){var t=e.memoizedState;if(t===null&&(e=e.alternate,e!==null&&(t=e.memoizedState)),t!==null)return t.dehydrated}return null}function l(e){if(e.tag===31){var t=e.memoizedState;if(t===null&&(e=e.alternate,e!==null&&(t=e.memoizedState)),t!==null)return t.dehydrated}return null}function u(e){if(s(e)!==e)throw Error(a(188))}function d(e){var t=e.alternate;if(!t){if(t=s(e),t===null)throw Error(a(188));return t===e?e:null}for(var n=e,r=t;;){var i=n.return;if(i===null)break;var o=i.alternate;if(o===null){if(r=i.return,r!==null){n=r;continue}break}if(i.child===o.child){for(o=i.child;o;){if(o===n)return u(i),e;if(o===r)return u(i),t;o=o.sibling}throw Error(a(188))}if(n.return!==r.return)n=i,r=o;else{for(var c=!1,l=i.child;l;){if(l===n){c=!0,n=i,r=o;break}if(l===r){c=!0,r=i,n=o;break}l=l.sibling}if(!c){for(l=o.child;l;){if(l===n){c=!0,n=o,r=i;break}if(l===r){c=!0,r=o,n=i;break}l=l.sibling}if(!c)throw Error(a(189))}}if(n.alternate!==r)throw Error(a(190))}if(n.tag!==3)throw Error(a(188));return n.stateNode.current===n?e:t}function f(e){var t=e.tag;if(t===5||t===26||t===27||t===6)return e;for(e=e.child;e!==null;){if(t=f(e),t!==null)return t;e=e.sibling}return null}function p(e,t,n,r,i,a){for(;e!==null;){if((e.tag===5||e.tag===27||e.tag===6)&&n(e,r,i,a)||(e.tag!==22||e.memoizedState===null)&&(t||e.tag!==5&&e.tag!==27)&&p(e.child,t,n,r,i,a))return!0;e=e.sibling}return!1}function m(e){for(e=e.return;e!==null;){if(e.tag===3||e.tag===5||e.tag===27)return e;e=e.return}return null}function h(e){var t=!1;for(e=e.return;e!==null&&(e.tag===4&&(t=!0),e.tag!==3&&e.tag!==5&&e.tag!==27);)e=e.return;return t}function g(e){var t=[null,null],n=m(e);return n===null||_(t,e,n.child,{foundSelf:!1}),t}function _(e,t,n,r){for(;n!==null;){if(n===t)r.foundSelf=!0;else if(n.tag===5||n.tag===27||n.tag===6){if(r.foundSelf)return e[1]=n,!0;e[0]=n}else if((n.tag!==22||n.memoizedState===null)&&_(e,t,n.child,r))return!0;n=n.sibling}return!1}function v(e){switch(e.tag){case 5:case 27:case 6:return e.stateNode;case 3:return e.stateNode.containerInfo;default:throw Error(a(559))}}var y=null,b=null;function ee(e,t,n){return e===n||e===t&&(y=e,!0)}function te(e,t,n){return e===n?(b=e,!1):e===t&&(b!==null&&(y=e),!0)}function ne(e){if(e===null)return null;do e=e===null?null:e.return;while(e&&e.tag!==5&&e.tag!==27&&e.tag!==3);return e||null}function re(e,t,n){for(var r=0,i=e;i;i=n(i))r++;i=0;for(var a=t;a;a=n(a))i++;for(;0<r-i;)e=n(e),r--;for(;0<i-r;)t=n(t),i--;for(;r--;){if(e===t||t!==null&&e===t.alternate)return e;e=n(e),t=n(t)}return null}var x=Object.assign,ie=Symbol.for(`react.element`),ae=Symbol.for(`react.transitional.element`),oe=Symbol.for(`react.portal`),se=Symbol.for(`react.fragment`),ce=Symbol.for(`react.strict_mode`),le=Symbol.for(`react.profiler`),ue=Symbol.for(`react.consumer`),de=Symbol.for(`react.context`),fe=Symbol.for(`react.forward_ref`),pe=Symbol.for(`react.suspense`),me=Symbol.for(`react.suspense_list`),he=Symbol.for(`react.memo`),ge=Symbol.for(`react.lazy`),_e=Symbol.for(`react.activity`),ve=Symbol.for(`react.legacy_hidden`),ye=Symbol.for(`react.memo_cache_sentinel`),be=Symbol.for(`react.view_transition`),xe=Symbol.for(`react.recoverable`),Se=Symbol.iterator;function Ce(e){return typeof e!=`object`||!e?null:(e=Se&&e[Se]||e[`@@iterator`],typeof e==`function`?e:null)}var we=Symbol.for(`react.client.reference`);function S(e){if(e==null)return null;if(typeof e==`function`)return e.$$typeof===we?null:e.displayName||e.name||null;if(typeof e==`string`)return e;switch(e){case se:return`Fragment`;case le:return`Profiler`;case ce:return`StrictMode`;case pe:return`Suspense`;case me:return`SuspenseList`;case _e:return`Activity`;case be:return`ViewTransition`}if(typeof e==`object`)switch(e.$$typeof){case oe:return`Portal`;case de:return e.displayName||`Context`;case ue:return(e._context.displayName||`Context`)+`.Consumer`;case fe:var t=e.render;return e=e.displayName,e||=(e=t.displayName||t.name||``,e===``?`ForwardRef`:`ForwardRef(`+e+`)`),e;case he:return t=e.displayName||null,t===null?S(e.type)||`Memo`:t;case ge:t=e._payload,e=e._init;try{return S(e(t))}catch{}}return null}var Te=Array.isArray,C=n.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,w=r.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,Ee={pending:!1,data:null,method:null,action:null},De=[],Oe=-1;function ke(e){return{current:e}}function Ae(e){0>Oe||(e.current=De[Oe],De[Oe]=null,Oe--)}function T(e,t){Oe++,De[Oe]=e.current,e.current=t}var je=ke(null),Me=ke(null),Ne=ke(null),Pe=ke(null);function Fe(e,t){switch(T(Ne,t),T(Me,e),T(je,null),t.nodeType){case 9:case 11:e=(e=t.documentElement)&&(e=e.namespaceURI)?up(e):0;break;default:if(e=t.tagName,t=t.namespaceURI)t=up(t),e=dp(t,e);else switch(e){case`svg`:e=1;break;case`math`:e=2;break;default:e=0}}Ae(je),T(je,e)}function Ie(){Ae(je),Ae(Me),Ae(Ne)}function Le(e){var t=e.memoizedState;t!==null&&(sh._currentValue=t.memoizedState,T(Pe,e)),t=je.current;var n=dp(t,e.type);t!==n&&(T(Me,e),T(je,n))}function Re(e){Me.current===e&&(Ae(je),Ae(Me)),Pe.current===e&&(Ae(Pe),sh._currentValue=Ee)}var ze,Be;function Ve(e){if(ze===void 0)try{throw Error()}catch(e){var t=e.stack.trim().match(/\n( *(at )?)/);ze=t&&t[1]||``,Be=-1<e.stack.indexOf(`
    at`)?` (<anonymous>)`:-1<e.stack.indexOf(`@`)?`@unknown:0:0`:``}return`
`+ze+e+Be}var He=!1;function Ue(e,t){if(!e||He)return``;He=!0;var n=Error.prepareStackTrace;Error.prepareStackTrace=void 0;try{var r={DetermineComponentFrameRoot:function(){try{if(t){var n=function(){throw Error()};if(Object.defineProperty(n.prototype,"props",{set:function(){throw Error()}}),typeof Reflect==`object`&&Reflect.construct){try{Reflect.construct(n,[])}catch(e){var r=e}Reflect.construct(e,[],n)}else{try{n.call()}catch(e){r=e}n=!1;try{var i=Object.getOwnPropertyDescriptor(e.prototype,`props`);Object.defineProperty(e.prototype,"props",{configurable:!0,set:function(){throw Error()}}),n=!0,new e}finally{n&&(i===void 0?delete e.prototype.props:Object.defineProperty(e.prototype,"props",i))}}}else{try{throw Error()}catch(e){r=e}(n=e())&&typeof n.catch==`function`&&n.catch(function(){})}}catch(e){if(e&&r&&typeof e.stack==`string`)return[e.stack,r.stack]}return[null,null]}};r.DetermineComponentFrameRoot.displayName=`DetermineComponentFrameRoot`;var i=Object.getOwnPropertyDescriptor(r.DetermineComponentFrameRoot,`name`);i&&i.configurable&&Object.defineProperty(r.DetermineComponentFrameRoot,"name",{value:`DetermineComponentFrameRoot`});var a=r.DetermineComponentFrameRoot(),o=a[0],s=a[1];if(o&&s){var c=o.split(`
`),l=s.split(`
`);for(i=r=0;r<c.length&&!c[r].includes(`DetermineComponentFrameRoot`);)r++;for(;i<l.length&&!l[i].includes(`DetermineComponentFrameRoot`);)i++;if(r===c.length||i===l.length)for(r=c.length-1,i=l.length-1;1<=r&&0<=i&&c[r]!==l[i];)i--;for(;1<=r&&0<=i;r--,i--)if(c[r]!==l[i]){if(r!==1||i!==1)do if(r--,i--,0>i||c[r]!==l[i]){var u=`
`+c[r].replace(` at new `,` at `);return e.displayName&&u.includes(`<anonymous>`)&&(u=u.replace(`<anonymous>`,e.displayName)),u}while(1<=r&&0<=i);break}}}finally{He=!1,Error.prepareStackTrace=n}return(n=e?e.displayName||e.name:``)?Ve(n):``}function We(e,t){switch(e.tag){case 26:case 27:case 5:return Ve(e.type);case 16:return Ve(`Lazy`);case 13:return e.child!==t&&t!==null?Ve(`Suspense Fallback`):Ve(`Suspense`);case 19:return Ve(`SuspenseList`);case 0:case 15:return Ue(e.type,!1);case 11:return Ue(e.type.render,!1);case 1:return Ue(e.type,!0);case 31:return Ve(`Activity`);case 30:return Ve(`ViewTransition`);default:return``}}function Ge(e){try{var t=``,n=null;do t+=We(e,n),n=e,e=e.return;while(e);return t}catch(e){return`
Error generating stack: `+e.message+`
`+e.stack}}var Ke=Object.prototype.hasOwnProperty,qe=t.unstable_scheduleCallback,Je=t.unstable_cancelCallback,Ye=t.unstable_shouldYield,Xe=t.unstable_requestPaint,Ze=t.unstable_now,Qe=t.unstable_getCurrentPriorityLevel,$e=t.unstable_ImmediatePriority,et=t.unstable_UserBlockingPriority,tt=t.unstable_NormalPriority,nt=t.unstable_LowPriority,rt=t.unstable_IdlePriority,it=t.log,at=t.unstable_setDisableYieldValue,ot=null,st=null;function ct(e){if(typeof it==`function`&&at(e),st&&typeof st.setStrictMode==`function`)try{st.setStrictMode(ot,e)}catch{}}var lt=Math.clz32?Math.clz32:ft,ut=Math.log,dt=Math.LN2;function ft(e){return e>>>=0,e===0?32:31-(ut(e)/dt|0)|0}var pt=256,mt=262144,ht=4194304;function _t(e){var t=e&42;if(t!==0)return t;switch(e&-e){case 1:return 1;case 2:return 2;case 4:return 4;case 8:return 8;case 16:return 16;case 32:return 32;case 64:return 64;case 128:return 128;case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:return e&-e;case 262144:case 524288:case 1048576:case 2097152:return e&3932160;case 4194304:case 8388608:case 16777216:case 33554432:return e&62914560;case 67108864:return 67108864;case 134217728:return 134217728;case 268435456:return 268435456;case 536870912:return 536870912;case 1073741824:return 0;default:return e}}function yt(e,t,n){var r=e.pendingLanes;if(r===0)return 0;var i=0,a=e.suspendedLanes,o=e.pingedLanes;e=e.warmLanes;var s=r&134217727;return s===0?(s=r&~a,s===0?o===0?n||(n=r&~e,n!==0&&(i=_t(n))):i=_t(o):i=_t(s)):(r=s&~a,r===0?(o&=s,o===0?n||(n=s&~e,n!==0&&(i=_t(n))):i=_t(o)):i=_t(r)),i===0?0:t!==0&&t!==i&&(t&a)===0&&(a=i&-i,n=t&-t,a>=n||a===32&&n&4194048)?t:i}function bt(e,t){return(e.pendingLanes&~(e.suspendedLanes&~e.pingedLanes)&t)===0}function xt(e,t){t&8&&(t|=t&32);var n=e.entangledLanes;if(n!==0)for(e=e.entanglements,n&=t;0<n;){var r=31-lt(n),i=1<<r;t|=e[r],n&=~i}return t}function St(e,t){switch(e){case 1:case 2:case 4:case 8:case 64:return t+250;case 16:case 32:case 128:case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:case 262144:case 524288:case 1048576:case 2097152:return t+5e3;case 4194304:case 8388608:case 16777216:case 33554432:return-1;case 67108864:case 134217728:case 268435456:case 536870912:case 1073741824:return-1;default:return-1}}function Ct(){var e=ht;return ht<<=1,!(ht&62914560)&&(ht=4194304),e}function wt(e){for(var t=[],n=0;31>n;n++)t.push(e);return t}function Tt(e,t){e.pendingLanes|=t,t!==268435456&&(e.suspendedLanes=0,e.pingedLanes=0,e.warmLanes=0)}function Et(e,t,n,r,i,a){var o=e.pendingLanes;e.pendingLanes=n,e.suspendedLanes=0,e.pingedLanes=0,e.warmLanes=0,e.expiredLanes&=n,e.entangledLanes&=n,e.errorRecoveryDisabledLanes&=n,e.shellSuspendCounter=0;var s=e.entanglements,c=e.expirationTimes,l=e.hiddenUpdates;for(n=o&~n;0<n;){var u=31-lt(n),d=1<<u;s[u]=0,c[u]=-1;var f=l[u];if(f!==null)for(l[u]=null,u=0;u<f.length;u++){var p=f[u];p!==null&&(p.lane&=-536870913)}n&=~d}r!==0&&Dt(e,r,0),a!==0&&i===0&&e.tag!==0&&(e.suspendedLanes|=a&~(o&~t))}function Dt(e,t,n){e.pendingLanes|=t,e.suspendedLanes&=~t;var r=31-lt(t);e.entangledLanes|=t,e.entanglements[r]=e.entanglements[r]|1073741824|n&261930}function Ot(e,t){var n=e.entangledLanes|=t;for(e=e.entanglements;n;){var r=31-lt(n),i=1<<r;i&t|e[r]&t&&(e[r]|=t),n&=~i}}function kt(e,t){var n=t&-t;return n=n&42?1:At(n),(n&(e.suspendedLanes|t))===0?n:0}function At(e){switch(e){case 2:e=1;break;case 8:e=4;break;case 32:e=16;break;case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:case 262144:case 524288:case 1048576:case 2097152:case 4194304:case 8388608:case 16777216:case 33554432:e=128;break;case 268435456:e=134217728;break;default:e=0}return e}function jt(e){return e&=-e,2<e?8<e?e&134217727?32:268435456:8:2}function Mt(){var e=w.p;return e===0?(e=window.event,e===void 0?32:Ch(e.type)):e}function Nt(e,t){var n=w.p;try{return w.p=e,t()}finally{w.p=n}}var Pt=Math.random().toString(36).slice(2),Ft=`__reactFiber$`+Pt,It=`__reactProps$`+Pt,Lt=`__reactContainer$`+Pt,Rt=`__reactEvents$`+Pt,zt=`__reactListeners$`+Pt,Bt=`__reactHandles$`+Pt,Vt=`__reactResources$`+Pt,Ht=`__reactMarker$`+Pt,Ut=`__reactLoad$`+Pt;function Wt(e){delete e[Ft],delete e[It],delete e[zt],delete e[Bt]}function Gt(e){var t;if(t=e[Ft])return t;for(var n=e.parentNode;n;){if(t=n[Lt]||n[Ft]){if(n=t.alternate,t.child!==null||n!==null&&n.child!==null)for(e=fm(e);e!==null;){if(n=e[Ft])return n;e=fm(e)}return t}e=n,n=e.parentNode}return null}function Kt(e){if(e=e[Ft]||e[Lt]){var t=e.tag;if(t===5||t===6||t===13||t===31||t===26||t===27||t===3)return e}return null}function qt(e){var t=e.tag;if(t===5||t===26||t===27||t===6)return e.stateNode;throw Error(a(33))}function Jt(e){var t=e[Vt];return t||=e[Vt]={hoistableStyles:new Map,hoistableScripts:new Map},t}function Yt(e){e[Ht]=!0}function Xt(e){e[Ut]=void 0}var Zt=new Set,Qt={};function $t(e,t){en(e,t),en(e+`Capture`,t)}function en(e,t){for(Qt[e]=t,e=0;e<t.length;e++)Zt.add(t[e])}var tn=RegExp(`^[:A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD][:A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\-.0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040]*$`),nn={},rn={};function an(e){return Ke.call(rn,e)?!0:Ke.call(nn,e)?!1:tn.test(e)?rn[e]=!0:(nn[e]=!0,!1)}var E=!1;function on(){var e=E;return E=!1,e}function sn(e,t,n){if(an(t)){if(n===null)e.removeAttribute(t);else{switch(typeof n){case`undefined`:case`function`:case`symbol`:e.removeAttribute(t);return;case`boolean`:var r=t.toLowerCase().slice(0,5);if(r!==`data-`&&r!==`aria-`){e.removeAttribute(t);return}}e.setAttribute(t,n)}}}function cn(e,t,n){if(n===null)e.removeAttribute(t);else{switch(typeof n){case`undefined`:case`function`:case`symbol`:case`boolean`:e.removeAttribute(t);return}e.setAttribute(t,n)}}function ln(e,t,n,r){if(r===null)e.removeAttribute(n);else{switch(typeof r){case`undefined`:case`function`:case`symbol`:case`boolean`:e.removeAttribute(n);return}e.setAttributeNS(t,n,r)}}function un(e){switch(typeof e){case`bigint`:case`boolean`:case`number`:case`string`:case`undefined`:return e;case`object`:return e;default:return``}}function dn(e){var t=e.type;return(e=e.nodeName)&&e.toLowerCase()===`input`&&(t===`checkbox`||t===`radio`)}function fn(e,t,n){var r=Object.getOwnPropertyDescriptor(e.constructor.prototype,t);if(!e.hasOwnProperty(t)&&r!==void 0&&typeof r.get==`function`&&typeof r.set==`function`){var i=r.get,a=r.set;return Object.defineProperty(e,t,{configurable:!0,get:function(){return i.call(this)},set:function(e){n=``+e,a.call(this,e)}}),Object.defineProperty(e,t,{enumerable:r.enumerable}),{getValue:function(){return n},setValue:function(e){n=``+e},stopTracking:function(){e._valueTracker=null,delete e[t]}}}}function pn(e){if(!e._valueTracker){var t=dn(e)?`checked`:`value`;e._valueTracker=fn(e,t,``+e[t])}}function mn(e){if(!e)return!1;var t=e._valueTracker;if(!t)return!0;var n=t.getValue(),r=``;return e&&(r=dn(e)?e.checked?`true`:`false`:e.value),e=r,e!==n&&(t.setValue(e),!0)}var hn=/[\n"\\]/g;function D(e){return e.replace(hn,function(e){return`\\`+e.charCodeAt(0).toString(16)+` `})}function gn(e,t,n,r,i,a,o,s){e.name=``,o!=null&&typeof o!=`function`&&typeof o!=`symbol`&&typeof o!=`boolean`?e.type=o:e.removeAttribute(`type`),t==null?o!==`submit`&&o!==`reset`||e.removeAttribute(`value`):o===`number`?(t===0&&e.value===``||e.value!=t)&&(e.value=``+un(t)):e.value!==``+un(t)&&(e.value=``+un(t)),t==null?n==null?r!=null&&e.removeAttribute(`value`):vn(e,un(n)):o===`number`&&e.value==t?vn(e,un(e.value)):vn(e,un(t)),i==null&&a!=null&&(e.defaultChecked=!!a),i!=null&&(e.checked=i&&typeof i!=`function`&&typeof i!=`symbol`),s!=null&&typeof s!=`function`&&typeof s!=`symbol`&&typeof s!=`boolean`?e.name=``+un(s):e.removeAttribute(`name`)}function _n(e,t,n,r,i,a,o,s){if(a!=null&&typeof a!=`function`&&typeof a!=`symbol`&&typeof a!=`boolean`&&(e.type=a),t!=null||n!=null){if(!(a!==`submit`&&a!==`reset`||t!=null)){pn(e);return}n=n==null?``:``+un(n),t=t==null?n:``+un(t),s||t===e.value||(e.value=t),e.defaultValue=t}r??=i,r=typeof r!=`function`&&typeof r!=`symbol`&&!!r,e.checked=s?e.checked:!!r,e.defaultChecked=!!r,o!=null&&typeof o!=`function`&&typeof o!=`symbol`&&typeof o!=`boolean`&&(e.name=o),pn(e)}function vn(e,t){e.defaultValue!==``+t&&(e.defaultValue=``+t)}function yn(e,t,n,r){if(e=e.options,t){t={};for(var i=0;i<n.length;i++)t[`$`+n[i]]=!0;for(n=0;n<e.length;n++)i=t.hasOwnProperty(`$`+e[n].value),e[n].selected!==i&&(e[n].selected=i),i&&r&&(e[n].defaultSelected=!0)}else{for(n=``+un(n),t=null,i=0;i<e.length;i++){if(e[i].value===n){e[i].selected=!0,r&&(e[i].defaultSelected=!0);return}t!==null||e[i].disabled||(t=e[i])}t!==null&&(t.selected=!0)}}function bn(e,t,n){t!=null&&(t=``+un(t),t!==e.value&&(e.value=t),n==null)?e.defaultValue!==t&&(e.defaultValue=t):e.defaultValue=n==null?``:``+un(n)}function xn(e,t,n,r){if(t==null){if(r!=null){if(n!=null)throw Error(a(92));if(Te(r)){if(1<r.length)throw Error(a(93));r=r[0]}n=r}n??=``,t=n}n=un(t),e.defaultValue=n,r=e.textContent,r===n&&r!==``&&r!==null&&(e.value=r),pn(e)}function Sn(e,t){if(t){var n=e.firstChild;if(n&&n===e.lastChild&&n.nodeType===3){n.nodeValue=t;return}}e.textContent=t}var Cn=new Set(`animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex boxFlexGroup boxOrdinalGroup columnCount columns flex flexGrow flexPositive flexShrink flexNegative flexOrder gridArea gridRow gridRowEnd gridRowSpan gridRowStart gridColumn gridColumnEnd gridColumnSpan gridColumnStart fontWeight lineClamp lineHeight opacity order orphans scale tabSize widows zIndex zoom fillOpacity floodOpacity stopOpacity strokeDasharray strokeDashoffset strokeMiterlimit strokeOpacity strokeWidth MozAnimationIterationCount MozBoxFlex MozBoxFlexGroup MozLineClamp msAnimationIterationCount msFlex msZoom msFlexGrow msFlexNegative msFlexOrder msFlexPositive msFlexShrink msGridColumn msGridColumnSpan msGridRow msGridRowSpan WebkitAnimationIterationCount WebkitBoxFlex WebKitBoxFlexGroup WebkitBoxOrdinalGroup WebkitColumnCount WebkitColumns WebkitFlex WebkitFlexGrow WebkitFlexPositive WebkitFlexShrink WebkitLineClamp`.split(` `));function wn(e,t,n){var r=t.indexOf(`--`)===0;n==null||typeof n==`boolean`||n===``?r?e.setProperty(t,``):t===`float`?e.cssFloat=``:e[t]=``:r?e.setProperty(t,n):typeof n!=`number`||n===0||Cn.has(t)?t===`float`?e.cssFloat=n:e[t]=(``+n).trim():e[t]=n+`px`}function Tn(e,t,n){if(t!=null&&typeof t!=`object`)throw Error(a(62));if(e=e.style,n!=null){for(var r in n)!n.hasOwnProperty(r)||t!=null&&t.hasOwnProperty(r)||(r.indexOf(`--`)===0?e.setProperty(r,``):r===`float`?e.cssFloat=``:e[r]=``,E=!0);for(var i in t)r=t[i],t.hasOwnProperty(i)&&n[i]!==r&&(wn(e,i,r),E=!0)}else for(var o in t)t.hasOwnProperty(o)&&wn(e,o,t[o])}function En(e){if(e.indexOf(`-`)===-1)return!1;switch(e){case`annotation-xml`:case`color-profile`:case`font-face`:case`font-face-src`:case`font-face-uri`:case`font-face-format`:case`font-face-name`:case`missing-glyph`:return!1;default:return!0}}var Dn=new Map([[`acceptCharset`,`accept-charset`],[`htmlFor`,`for`],[`httpEquiv`,`http-equiv`],[`crossOrigin`,`crossorigin`],[`accentHeight`,`accent-height`],[`alignmentBaseline`,`alignment-baseline`],[`arabicForm`,`arabic-form`],[`baselineShift`,`baseline-shift`],[`capHeight`,`cap-height`],[`clipPath`,`clip-path`],[`clipRule`,`clip-rule`],[`colorInterpolation`,`color-interpolation`],[`colorInterpolationFilters`,`color-interpolation-filters`],[`colorProfile`,`color-profile`],[`colorRendering`,`color-rendering`],[`dominantBaseline`,`dominant-baseline`],[`enableBackground`,`enable-background`],[`fillOpacity`,`fill-opacity`],[`fillRule`,`fill-rule`],[`floodColor`,`flood-color`],[`floodOpacity`,`flood-opacity`],[`fontFamily`,`font-family`],[`fontSize`,`font-size`],[`fontSizeAdjust`,`font-size-adjust`],[`fontStretch`,`font-stretch`],[`fontStyle`,`font-style`],[`fontVariant`,`font-variant`],[`fontWeight`,`font-weight`],[`glyphName`,`glyph-name`],[`glyphOrientationHorizontal`,`glyph-orientation-horizontal`],[`glyphOrientationVertical`,`glyph-orientation-vertical`],[`horizAdvX`,`horiz-adv-x`],[`horizOriginX`,`horiz-origin-x`],[`imageRendering`,`image-rendering`],[`letterSpacing`,`letter-spacing`],[`lightingColor`,`lighting-color`],[`markerEnd`,`marker-end`],[`markerMid`,`marker-mid`],[`markerStart`,`marker-start`],[`maskType`,`mask-type`],[`overlinePosition`,`overline-position`],[`overlineThickness`,`overline-thickness`],[`paintOrder`,`paint-order`],[`panose-1`,`panose-1`],[`pointerEvents`,`pointer-events`],[`renderingIntent`,`rendering-intent`],[`shapeRendering`,`shape-rendering`],[`stopColor`,`stop-color`],[`stopOpacity`,`stop-opacity`],[`strikethroughPosition`,`strikethrough-position`],[`strikethroughThickness`,`strikethrough-thickness`],[`strokeDasharray`,`stroke-dasharray`],[`strokeDashoffset`,`stroke-dashoffset`],[`strokeLinecap`,`stroke-linecap`],[`strokeLinejoin`,`stroke-linejoin`],[`strokeMiterlimit`,`stroke-miterlimit`],[`strokeOpacity`,`stroke-opacity`],[`strokeWidth`,`stroke-width`],[`textAnchor`,`text-anchor`],[`textDecoration`,`text-decoration`],[`textRendering`,`text-rendering`],[`transformOrigin`,`transform-origin`],[`underlinePosition`,`underline-position`],[`underlineThickness`,`underline-thickness`],[`unicodeBidi`,`unicode-bidi`],[`unicodeRange`,`unicode-range`],[`unitsPerEm`,`units-per-em`],[`vAlphabetic`,`v-alphabetic`],[`vHanging`,`v-hanging`],[`vIdeographic`,`v-ideographic`],[`vMathematical`,`v-mathematical`],[`vectorEffect`,`vector-effect`],[`vertAdvY`,`vert-adv-y`],[`vertOriginX`,`vert-origin-x`],[`vertOriginY`,`vert-origin-y`],[`wordSpacing`,`word-spacing`],[`writingMode`,`writing-mode`],[`xmlnsXlink`,`xmlns:xlink`],[`xHeight`,`x-height`]]),On=/^[\u0000-\u001F ]*j[\r\n\t]*a[\r\n\t]*v[\r\n\t]*a[\r\n\t]*s[\r\n\t]*c[\r\n\t]*r[\r\n\t]*i[\r\n\t]*p[\r\n\t]*t[\r\n\t]*:/i;function kn(e){return On.test(``+e)?`javascript:throw new Error('React has blocked a javascript: URL as a security precaution.')`:e}function An(){}var jn=null;function Mn(e){return e=e.target||e.srcElement||window,e.correspondingUseElement&&(e=e.correspondingUseElement),e.nodeType===3?e.parentNode:e}var Nn=null,Pn=null;function Fn(e){var t=Kt(e);if(t&&(e=t.stateNode)){var n=e[It]||null;a:switch(e=t.stateNode,t.type){case`input`:if(gn(e,n.value,n.defaultValue,n.defaultValue,n.checked,n.defaultChecked,n.type,n.name),t=n.name,n.type===`radio`&&t!=null){for(n=e;n.parentNode;)n=n.parentNode;for(n=n.querySelectorAll(`input[name="`+D(``+t)+`"][type="radio"]`),t=0;t<n.length;t++){var r=n[t];if(r!==e&&r.form===e.form){var i=r[It]||null;if(!i)throw Error(a(90));gn(r,i.value,i.defaultValue,i.defaultValue,i.checked,i.defaultChecked,i.type,i.name)}}for(t=0;t<n.length;t++)r=n[t],r.form===e.form&&mn(r)}break a;case`textarea`:bn(e,n.value,n.defaultValue);break a;case`select`:t=n.value,t!=null&&yn(e,!!n.multiple,t,!1)}}}var In=!1;function Ln(e,t,n){if(In)return e(t,n);In=!0;try{return e(t)}finally{if(In=!1,(Nn!==null||Pn!==null)&&(zd(),Nn&&(t=Nn,e=Pn,Pn=Nn=null,Fn(t),e)))for(t=0;t<e.length;t++)Fn(e[t])}}function Rn(e,t){var n=e.stateNode;if(n===null)return null;var r=n[It]||null;if(r===null)return null;n=r[t];a:switch(t){case`onClick`:case`onClickCapture`:case`onDoubleClick`:case`onDoubleClickCapture`:case`onMouseDown`:case`onMouseDownCapture`:case`onMouseMove`:case`onMouseMoveCapture`:case`onMouseUp`:case`onMouseUpCapture`:case`onMouseEnter`:(r=!r.disabled)||(e=e.type,r=e!==`button`&&e!==`input`&&e!==`select`&&e!==`textarea`),e=!r;break a;default:e=!1}if(e)return null;if(n&&typeof n!=`function`)throw Error(a(231,t,typeof n));return n}var zn=typeof window<`u`&&window.document!==void 0&&window.document.createElement!==void 0,Bn=!1;if(zn)try{var Vn={};Object.defineProperty(Vn,"passive",{get:function(){Bn=!0}}),window.addEventListener(`test`,Vn,Vn),window.removeEventListener(`test`,Vn,Vn)}catch{Bn=!1}var Hn=null,Un=null,Wn=null;function Gn(){if(Wn)return Wn;var e,t=Un,n=t.length,r,i=`value`in Hn?Hn.value:Hn.textContent,a=i.length;for(e=0;e<n&&t[e]===i[e];e++);var o=n-e;for(r=1;r<=o&&t[n-r]===i[a-r];r++);return Wn=i.slice(e,1<r?1-r:void 0)}function Kn(e){var t=e.keyCode;return`charCode`in e?(e=e.charCode,e===0&&t===13&&(e=13)):e=t,e===10&&(e=13),32<=e||e===13?e:0}function qn(){return!0}function Jn(){return!1}function Yn(e){function t(t,n,r,i,a){for(var o in this._reactName=t,this._targetInst=r,this.type=n,this.nativeEvent=i,this.target=a,this.currentTarget=null,e)e.hasOwnProperty(o)&&(t=e[o],this[o]=t?t(i):i[o]);return this.isDefaultPrevented=(i.defaultPrevented==null?!1===i.returnValue:i.defaultPrevented)?qn:Jn,this.isPropagationStopped=Jn,this}return x(t.prototype,{preventDefault:function(){this.defaultPrevented=!0;var e=this.nativeEvent;e&&(e.preventDefault?e.preventDefault():typeof e.returnValue!=`unknown`&&(e.returnValue=!1),this.isDefaultPrevented=qn)},stopPropagation:function(){var e=this.nativeEvent;e&&(e.stopPropagation?e.stopPropagation():typeof e.cancelBubble!=`unknown`&&(e.cancelBubble=!0),this.isPropagationStopped=qn)},persist:function(){},isPersistent:qn}),t}var Xn={eventPhase:0,bubbles:0,cancelable:0,timeStamp:function(e){return e.timeStamp||Date.now()},defaultPrevented:0,isTrusted:0},Zn=Yn(Xn),Qn=x({},Xn,{view:0,detail:0}),$n=Yn(Qn),er,tr,nr,rr=x({},Qn,{screenX:0,screenY:0,clientX:0,clientY:0,pageX:0,pageY:0,ctrlKey:0,shiftKey:0,altKey:0,metaKey:0,getModifierState:mr,button:0,buttons:0,relatedTarget:function(e){return e.relatedTarget===void 0?e.fromElement===e.srcElement?e.toElement:e.fromElement:e.relatedTarget},movementX:function(e){return`movementX`in e?e.movementX:(e!==nr&&(nr&&e.type===`mousemove`?(er=e.screenX-nr.screenX,tr=e.screenY-nr.screenY):tr=er=0,nr=e),er)},movementY:function(e){return`movementY`in e?e.movementY:tr}}),ir=Yn(rr),ar=Yn(x({},rr,{dataTransfer:0})),or=Yn(x({},Qn,{relatedTarget:0})),sr=Yn(x({},Xn,{animationName:0,elapsedTime:0,pseudoElement:0})),cr=Yn(x({},Xn,{clipboardData:function(e){return`clipboardData`in e?e.clipboardData:window.clipboardData}})),lr=Yn(x({},Xn,{data:0})),ur={Esc:`Escape`,Spacebar:` `,Left:`ArrowLeft`,Up:`ArrowUp`,Right:`ArrowRight`,Down:`ArrowDown`,Del:`Delete`,Win:`OS`,Menu:`ContextMenu`,Apps:`ContextMenu`,Scroll:`ScrollLock`,MozPrintableKey:`Unidentified`},dr={8:`Backspace`,9:`Tab`,12:`Clear`,13:`Enter`,16:`Shift`,17:`Control`,18:`Alt`,19:`Pause`,20:`CapsLock`,27:`Escape`,32:` `,33:`PageUp`,34:`PageDown`,35:`End`,36:`Home`,37:`ArrowLeft`,38:`ArrowUp`,39:`ArrowRight`,40:`ArrowDown`,45:`Insert`,46:`Delete`,112:`F1`,113:`F2`,114:`F3`,115:`F4`,116:`F5`,117:`F6`,118:`F7`,119:`F8`,120:`F9`,121:`F10`,122:`F11`,123:`F12`,144:`NumLock`,145:`ScrollLock`,224:`Meta`},fr={Alt:`altKey`,Control:`ctrlKey`,Meta:`metaKey`,Shift:`shiftKey`};function pr(e){var t=this.nativeEvent;return t.getModifierState?t.getModifierState(e):(e=fr[e])?!!t[e]:!1}function mr(){return pr}var hr=Yn(x({},Qn,{key:function(e){if(e.key){var t=ur[e.key]||e.key;if(t!==`Unidentified`)return t}return e.type===`keypress`?(e=Kn(e),e===13?`Enter`:String.fromCharCode(e)):e.type===`keydown`||e.type===`keyup`?dr[e.keyCode]||`Unidentified`:``},code:0,location:0,ctrlKey:0,shiftKey:0,altKey:0,metaKey:0,repeat:0,locale:0,getModifierState:mr,charCode:function(e){return e.type===`keypress`?Kn(e):0},keyCode:function(e){return e.type===`keydown`||e.type===`keyup`?e.keyCode:0},which:function(e){return e.type===`keypress`?Kn(e):e.type===`keydown`||e.type===`keyup`?e.keyCode:0}})),gr=Yn(x({},rr,{pointerId:0,width:0,height:0,pressure:0,tangentialPressure:0,tiltX:0,tiltY:0,twist:0,pointerType:0,isPrimary:0})),_r=Yn(x({},Xn,{submitter:0})),vr=Yn(x({},Qn,{touches:0,targetTouches:0,changedTouches:0,altKey:0,metaKey:0,ctrlKey:0,shiftKey:0,getModifierState:mr})),yr=Yn(x({},Xn,{propertyName:0,elapsedTime:0,pseudoElement:0})),br=Yn(x({},rr,{deltaX:function(e){return`deltaX`in e?e.deltaX:`wheelDeltaX`in e?-e.wheelDeltaX:0},deltaY:function(e){return`deltaY`in e?e.deltaY:`wheelDeltaY`in e?-e.wheelDeltaY:`wheelDelta`in e?-e.wheelDelta:0},deltaZ:0,deltaMode:0})),xr=Yn(x({},Xn,{newState:0,oldState:0,source:0})),Sr=[9,13,27,32],Cr=zn&&`CompositionEvent`in window,wr=null;zn&&`documentMode`in document&&(wr=document.documentMode);var Tr=zn&&`TextEvent`in window&&!wr,Er=zn&&(!Cr||wr&&8<wr&&11>=wr),Dr=` `,Or=!1;function kr(e,t){switch(e){case`keyup`:return Sr.indexOf(t.keyCode)!==-1;case`keydown`:return t.keyCode!==229;case`keypress`:case`mousedown`:case`focusout`:return!0;default:return!1}}function Ar(e){return e=e.detail,typeof e==`object`&&`data`in e?e.data:null}var jr=!1;function Mr(e,t){switch(e){case`compositionend`:return Ar(t);case`keypress`:return t.which===32?(Or=!0,Dr):null;case`textInput`:return e=t.data,e===Dr&&Or?null:e;default:return null}}function Nr(e,t){if(jr)return e===`compositionend`||!Cr&&kr(e,t)?(e=Gn(),Wn=Un=Hn=null,jr=!1,e):null;switch(e){case`paste`:return null;case`keypress`:if(!(t.ctrlKey||t.altKey||t.metaKey)||t.ctrlKey&&t.altKey){if(t.char&&1<t.char.length)return t.char;if(t.which)return String.fromCharCode(t.which)}return null;case`compositionend`:return Er&&t.locale!==`ko`?null:t.data;default:return null}}var Pr={color:!0,date:!0,datetime:!0,"datetime-local":!0,email:!0,month:!0,number:!0,password:!0,range:!0,search:!0,tel:!0,text:!0,time:!0,url:!0,week:!0};function Fr(e){var t=e&&e.nodeName&&e.nodeName.toLowerCase();return t===`input`?!!Pr[e.type]:t===`textarea`}function Ir(e,t,n,r){Nn?Pn?Pn.push(r):Pn=[r]:Nn=r,t=Jf(t,`onChange`),0<t.length&&(n=new Zn(`onChange`,`change`,null,n,r),e.push({event:n,listeners:t}))}var Lr=null,Rr=null;function zr(e){Vf(e,0)}function Br(e){if(mn(qt(e)))return e}function Vr(e,t){if(e===`change`)return t}var Hr=!1;if(zn){var Ur;if(zn){var Wr=`oninput`in document;if(!Wr){var Gr=document.createElement(`div`);Gr.setAttribute(`oninput`,`return;`),Wr=typeof Gr.oninput==`function`}Ur=Wr}else Ur=!1;Hr=Ur&&(!document.documentMode||9<document.documentMode)}function Kr(){Lr&&(Lr.detachEvent(`onpropertychange`,qr),Rr=Lr=null)}function qr(e){if(e.propertyName===`value`&&Br(Rr)){var t=[];Ir(t,Rr,e,Mn(e)),Ln(zr,t)}}function Jr(e,t,n){e===`focusin`?(Kr(),Lr=t,Rr=n,Lr.attachEvent(`onpropertychange`,qr)):e===`focusout`&&Kr()}function Yr(e){if(e===`selectionchange`||e===`keyup`||e===`keydown`)return Br(Rr)}function Xr(e,t){if(e===`click`)return Br(t)}function Zr(e,t){if(e===`input`||e===`change`)return Br(t)}function Qr(e,t){return e===t&&(e!==0||1/e==1/t)||e!==e&&t!==t}var $r=typeof Object.is==`function`?Object.is:Qr;function ei(e,t){if($r(e,t))return!0;if(typeof e!=`object`||!e||typeof t!=`object`||!t)return!1;var n=Object.keys(e),r=Object.keys(t);if(n.length!==r.length)return!1;for(r=0;r<n.length;r++){var i=n[r];if(!Ke.call(t,i)||!$r(e[i],t[i]))return!1}return!0}function ti(e){if(e||=typeof document<`u`?document:void 0,e===void 0)return null;try{return e.activeElement||e.body}catch{return e.body}}function ni(e){for(;e&&e.firstChild;)e=e.firstChild;return e}function ri(e,t){var n=ni(e);e=0;for(var r;n;){if(n.nodeType===3){if(r=e+n.textContent.length,e<=t&&r>=t)return{node:n,offset:t-e};e=r}a:{for(;n;){if(n.nextSibling){n=n.nextSibling;break a}n=n.parentNode}n=void 0}n=ni(n)}}function ii(e,t){return e&&t?e===t?!0:e&&e.nodeType===3?!1:t&&t.nodeType===3?ii(e,t.parentNode):`contains`in e?e.contains(t):e.compareDocumentPosition?!!(e.compareDocumentPosition(t)&16):!1:!1}function ai(e){e=e!=null&&e.ownerDocument!=null&&e.ownerDocument.defaultView!=null?e.ownerDocument.defaultView:window;for(var t=ti(e.document);t instanceof e.HTMLIFrameElement;){try{var n=typeof t.contentWindow.location.href==`string`}catch{n=!1}if(n)e=t.contentWindow;else break;t=ti(e.document)}return t}function oi(e){var t=e&&e.nodeName&&e.nodeName.toLowerCase();return t&&(t===`input`&&(e.type===`text`||e.type===`search`||e.type===`tel`||e.type===`url`||e.type===`password`)||t===`textarea`||e.contentEditable===`true`)}var si=zn&&`documentMode`in document&&11>=document.documentMode,ci=null,li=null,ui=null,di=!1;function fi(e,t,n){var r=n.window===n?n.document:n.nodeType===9?n:n.ownerDocument;di||ci==null||ci!==ti(r)||(r=ci,`selectionStart`in r&&oi(r)?r={start:r.selectionStart,end:r.selectionEnd}:(r=(r.ownerDocument&&r.ownerDocument.defaultView||window).getSelection(),r={anchorNode:r.anchorNode,anchorOffset:r.anchorOffset,focusNode:r.focusNode,focusOffset:r.focusOffset}),ui&&ei(ui,r)||(ui=r,r=Jf(li,`onSelect`),0<r.length&&(t=new Zn(`onSelect`,`select`,null,t,n),e.push({event:t,listeners:r}),t.target=ci)))}function pi(e,t){var n={};return n[e.toLowerCase()]=t.toLowerCase(),n[`Webkit`+e]=`webkit`+t,n[`Moz`+e]=`moz`+t,n}var mi={animationend:pi(`Animation`,`AnimationEnd`),animationiteration:pi(`Animation`,`AnimationIteration`),animationstart:pi(`Animation`,`AnimationStart`),transitionrun:pi(`Transition`,`TransitionRun`),transitionstart:pi(`Transition`,`TransitionStart`),transitioncancel:pi(`Transition`,`TransitionCancel`),transitionend:pi(`Transition`,`TransitionEnd`)},hi={},gi={};zn&&(gi=document.createElement(`div`).style,`AnimationEvent`in window||(delete mi.animationend.animation,delete mi.animationiteration.animation,delete mi.animationstart.animation),`TransitionEvent`in window||delete mi.transitionend.transition);function _i(e){if(hi[e])return hi[e];if(!mi[e])return e;var t=mi[e],n;for(n in t)if(t.hasOwnProperty(n)&&n in gi)return hi[e]=t[n];return e}var vi=_i(`animationend`),yi=_i(`animationiteration`),bi=_i(`animationstart`),xi=_i(`transitionrun`),Si=_i(`transitionstart`),Ci=_i(`transitioncancel`),wi=_i(`transitionend`),Ti=new Map,Ei=`abort auxClick beforeToggle cancel canPlay canPlayThrough click close contextMenu copy cut drag dragEnd dragEnter dragExit dragLeave dragOver dragStart drop durationChange emptied encrypted ended error fullscreenChange fullscreenError gotPointerCapture input invalid keyDown keyPress keyUp load loadedData loadedMetadata loadStart lostPointerCapture mouseDown mouseMove mouseOut mouseOver mouseUp paste pause play playing pointerCancel pointerDown pointerMove pointerOut pointerOver pointerUp progress rateChange reset resize seeked seeking stalled submit suspend timeUpdate touchCancel touchEnd touchStart volumeChange scroll toggle touchMove waiting wheel`.split(` `);Ei.push(`scrollEnd`);function Di(e,t){Ti.set(e,t),$t(t,[e])}var Oi=0;function ki(e,t){if(e.name!=null&&e.name!==`auto`)return e.name;if(t.autoName!==null)return t.autoName;e=bd.identifierPrefix;var n=Oi++;return e=`_`+e+`t_`+n.toString(32)+`_`,t.autoName=e}function Ai(e){if(e==null||typeof e==`string`)return e;var t=null,n=Od;if(n!==null)for(var r=0;r<n.length;r++){var i=e[n[r]];if(i!=null){if(i===`none`)return`none`;t=t==null?i:t+(` `+i)}}return t??e.default}function ji(e,t){return e=Ai(e),t=Ai(t),t==null?e===`auto`?null:e:t===`auto`?null:t}var Mi=typeof reportError==`function`?reportError:function(e){if(typeof window==`object`&&typeof window.ErrorEvent==`function`){var t=new window.ErrorEvent(`error`,{bubbles:!0,cancelable:!0,message:typeof e==`object`&&e&&typeof e.message==`string`?String(e.message):String(e),error:e});if(!window.dispatchEvent(t))return}else if(typeof process==`object`&&typeof process.emit==`function`){process.emit(`uncaughtException`,e);return}console.error(e)},Ni=[],Pi=0,Fi=0;function Ii(){for(var e=Pi,t=Fi=Pi=0;t<e;){var n=Ni[t];Ni[t++]=null;var r=Ni[t];Ni[t++]=null;var i=Ni[t];Ni[t++]=null;var a=Ni[t];if(Ni[t++]=null,r!==null&&i!==null){var o=r.pending;o===null?i.next=i:(i.next=o.next,o.next=i),r.pending=i}a!==0&&Bi(n,i,a)}}function Li(e,t,n,r){Ni[Pi++]=e,Ni[Pi++]=t,Ni[Pi++]=n,Ni[Pi++]=r,Fi|=r,e.lanes|=r,e=e.alternate,e!==null&&(e.lanes|=r)}function Ri(e,t,n,r){return Li(e,t,n,r),Vi(e)}function zi(e,t){return Li(e,null,null,t),Vi(e)}function Bi(e,t,n){e.lanes|=n;var r=e.alternate;r!==null&&(r.lanes|=n);for(var i=!1,a=e.return;a!==null;)a.childLanes|=n,r=a.alternate,r!==null&&(r.childLanes|=n),a.tag===22&&(e=a.stateNode,e===null||e._visibility&1||(i=!0)),e=a,a=a.return;return e.tag===3?(a=e.stateNode,i&&t!==null&&(i=31-lt(n),e=a.hiddenUpdates,r=e[i],r===null?e[i]=[t]:r.push(t),t.lane=n|536870912),a):null}function Vi(e){if(50<kd)throw kd=0,Ad=null,Error(a(185));for(var t=e.return;t!==null;)e=t,t=e.return;return e.tag===3?e.stateNode:null}var Hi={};function Ui(e,t,n,r){this.tag=e,this.key=n,this.sibling=this.child=this.return=this.stateNode=this.type=this.elementType=null,this.index=0,this.refCleanup=this.ref=null,this.pendingProps=t,this.dependencies=this.memoizedState=this.updateQueue=this.memoizedProps=null,this.mode=r,this.subtreeFlags=this.flags=0,this.deletions=null,this.childLanes=this.lanes=0,this.alternate=null}function Wi(e,t,n,r){return new Ui(e,t,n,r)}function Gi(e){return e=e.prototype,!(!e||!e.isReactComponent)}function Ki(e,t){var n=e.alternate;return n===null?(n=Wi(e.tag,t,e.key,e.mode),n.elementType=e.elementType,n.type=e.type,n.stateNode=e.stateNode,n.alternate=e,e.alternate=n):(n.pendingProps=t,n.type=e.type,n.flags=0,n.subtreeFlags=0,n.deletions=null),n.flags=e.flags&1206910976,n.childLanes=e.childLanes,n.lanes=e.lanes,n.child=e.child,n.memoizedProps=e.memoizedProps,n.memoizedState=e.memoizedState,n.updateQueue=e.updateQueue,t=e.dependencies,n.dependencies=t===null?null:{lanes:t.lanes,firstContext:t.firstContext},n.sibling=e.sibling,n.index=e.index,n.ref=e.ref,n.refCleanup=e.refCleanup,n}function qi(e,t){e.flags&=1206910978;var n=e.alternate;return n===null?(e.childLanes=0,e.lanes=t,e.child=null,e.subtreeFlags=0,e.memoizedProps=null,e.memoizedState=null,e.updateQueue=null,e.dependencies=null,e.stateNode=null):(e.childLanes=n.childLanes,e.lanes=n.lanes,e.child=n.child,e.subtreeFlags=0,e.deletions=null,e.memoizedProps=n.memoizedProps,e.memoizedState=n.memoizedState,e.updateQueue=n.updateQueue,e.type=n.type,t=n.dependencies,e.dependencies=t===null?null:{lanes:t.lanes,firstContext:t.firstContext}),e}function Ji(e,t,n,r,i,o){var s=0;if(r=e,typeof r==`function`)Gi(r)&&(s=1);else if(typeof r==`string`)s=qm(e,n,je.current)?26:e===`html`||e===`head`||e===`body`?27:5;else a:switch(r){case _e:return e=Wi(31,n,t,i),e.elementType=_e,e.lanes=o,e;case se:return Yi(n.children,i,o,t);case ce:s=8,i|=24;break;case le:return e=Wi(12,n,t,i|2),e.elementType=le,e.lanes=o,e;case pe:return e=Wi(13,n,t,i),e.elementType=pe,e.lanes=o,e;case me:return e=Wi(19,n,t,i),e.elementType=me,e.lanes=o,e;case ve:case be:return e=i|32,e=Wi(30,n,t,e),e.elementType=be,e.lanes=o,e.stateNode={autoName:null,paired:null,clones:null,ref:null},e;default:if(typeof r==`object`&&r)switch(r.$$typeof){case de:s=10;break a;case ue:s=9;break a;case fe:s=11;break a;case he:s=14;break a;case ge:s=16,r=null;break a}s=29,n=Error(a(130,e===null?`null`:typeof e,``)),r=null}return t=Wi(s,n,t,i),t.elementType=e,t.type=r,t.lanes=o,t}function Yi(e,t,n,r){return e=Wi(7,e,r,t),e.lanes=n,e}function Xi(e,t,n){return e=Wi(6,e,null,t),e.lanes=n,e}function Zi(e){var t=Wi(18,null,null,0);return t.stateNode=e,t}function Qi(e,t,n){return t=Wi(4,e.children===null?[]:e.children,e.key,t),t.lanes=n,t.stateNode={containerInfo:e.containerInfo,pendingChildren:null,implementation:e.implementation},t}var $i=new WeakMap;function ea(e,t){if(typeof e==`object`&&e){var n=$i.get(e);return n===void 0?(t={value:e,source:t,stack:Ge(t)},$i.set(e,t),t):n}return{value:e,source:t,stack:Ge(t)}}var ta=[],na=0,ra=null,ia=0,aa=[],oa=0,sa=null,ca=1,la=``;function ua(e,t){ta[na++]=ia,ta[na++]=ra,ra=e,ia=t}function da(e,t,n){aa[oa++]=ca,aa[oa++]=la,aa[oa++]=sa,sa=e;var r=ca;e=la;var i=32-lt(r)-1;r&=~(1<<i),n+=1;var a=32-lt(t)+i;if(30<a){var o=i-i%5;a=(r&(1<<o)-1).toString(32),r>>=o,i-=o,ca=1<<32-lt(t)+i|n<<i|r,la=a+e}else ca=1<<a|n<<i|r,la=e}function fa(e){e.return!==null&&(ua(e,1),da(e,1,0))}function pa(e){for(;e===ra;)ra=ta[--na],ta[na]=null,ia=ta[--na],ta[na]=null;for(;e===sa;)sa=aa[--oa],aa[oa]=null,la=aa[--oa],aa[oa]=null,ca=aa[--oa],aa[oa]=null}function ma(e,t){aa[oa++]=ca,aa[oa++]=la,aa[oa++]=sa,ca=t.id,la=t.overflow,sa=e}var ha=null,O=null,k=!1,A=null,ga=!1,_a=Error(a(519));function va(e){throw wa(ea(Error(a(418,1<arguments.length&&arguments[1]!==void 0&&arguments[1]?`text`:`HTML`,``)),e)),_a}function ya(e){var t=e.stateNode,n=e.type,r=e.memoizedProps;switch(t[Ft]=e,t[It]=r,n){case`dialog`:Q(`cancel`,t),Q(`close`,t);break;case`iframe`:case`object`:case`embed`:Q(`load`,t);break;case`video`:case`audio`:for(n=0;n<zf.length;n++)Q(zf[n],t);break;case`source`:Q(`error`,t);break;case`img`:case`image`:case`link`:Q(`error`,t),Q(`load`,t);break;case`details`:Q(`toggle`,t);break;case`input`:Q(`invalid`,t),_n(t,r.value,r.defaultValue,r.checked,r.defaultChecked,r.type,r.name,!0);break;case`select`:Q(`invalid`,t);break;case`textarea`:Q(`invalid`,t),xn(t,r.value,r.defaultValue,r.children)}n=r.children,typeof n!=`string`&&typeof n!=`number`&&typeof n!=`bigint`||t.textContent===``+n||!0===r.suppressHydrationWarning||ep(t.textContent,n)?(r.popover!=null&&(Q(`beforetoggle`,t),Q(`toggle`,t)),r.onScroll!=null&&Q(`scroll`,t),r.onScrollEnd!=null&&Q(`scrollend`,t),r.onClick!=null&&(t.onclick=An),t=!0):t=!1,t||va(e,!0)}function ba(e){for(ha=e.return;ha;)switch(ha.tag){case 5:case 31:case 13:ga=!1;return;case 27:case 3:ga=!0;return;default:ha=ha.return}}function xa(e){if(e!==ha)return!1;if(!k)return ba(e),k=!0,!1;var t=e.tag,n;if((n=t!==3&&t!==27)&&((n=t===5)&&(n=e.type,n=n===`form`||n===`button`||pp(e.type,e.memoizedProps)),n=!n),n&&O&&va(e),ba(e),t===13){if(e=e.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(a(317));O=dm(e)}else if(t===31){if(e=e.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(a(317));O=dm(e)}else t===27?(t=O,Sp(e.type)?(e=um,um=null,O=e):O=t):O=ha?lm(e.stateNode.nextSibling):null;return!0}function Sa(){O=ha=null,k=!1}function Ca(){var e=A;return e!==null&&(pd===null?pd=e:pd.push.apply(pd,e),A=null),e}function wa(e){A===null?A=[e]:A.push(e)}var Ta=ke(null),Ea=null,Da=null;function Oa(e,t,n){T(Ta,t._currentValue),t._currentValue=n}function ka(e){e._currentValue=Ta.current,Ae(Ta)}function Aa(e,t,n){for(;e!==null;){var r=e.alternate;if((e.childLanes&t)===t?r!==null&&(r.childLanes&t)!==t&&(r.childLanes|=t):(e.childLanes|=t,r!==null&&(r.childLanes|=t)),e===n)break;e=e.return}}function ja(e,t,n,r){var i=e.child;for(i!==null&&(i.return=e);i!==null;){var o=i.dependencies;if(o!==null){var s=i.child;o=o.firstContext;a:for(;o!==null;){var c=o;o=i;for(var l=0;l<t.length;l++)if(c.context===t[l]){o.lanes|=n,c=o.alternate,c!==null&&(c.lanes|=n),Aa(o.return,n,e),r||(s=null);break a}o=c.next}}else if(i.tag===18){if(s=i.return,s===null)throw Error(a(341));s.lanes|=n,o=s.alternate,o!==null&&(o.lanes|=n),Aa(s,n,e),s=null}else i.tag===13&&i.memoizedState!==null&&i.memoizedState.dehydrated===null?(i.lanes|=n,s=i.alternate,s!==null&&(s.lanes|=n),Aa(i.return,n,e),s=i.child,s=s===null?null:s.sibling):s=i.child;if(s!==null)s.return=i;else for(s=i;s!==null;){if(s===e){s=null;break}if(i=s.sibling,i!==null){i.return=s.return,s=i;break}s=s.return}i=s}}function Ma(e,t,n,r){e=null;for(var i=t,o=!1;i!==null;){if(!o){if(i.flags&524288)o=!0;else if(i.flags&262144)break}if(i.tag===10){var s=i.alternate;if(s===null)throw Error(a(387));if(s=s.memoizedProps,s!==null){var c=i.type;$r(i.pendingProps.value,s.value)||(e===null?e=[c]:e.push(c))}}else if(i===Pe.current){if(s=i.alternate,s===null)throw Error(a(387));s.memoizedState.memoizedState!==i.memoizedState.memoizedState&&(e===null?e=[sh]:e.push(sh))}i=i.return}return e!==null&&ja(t,e,n,r),t.flags|=262144,e!==null}function Na(e){for(e=e.firstContext;e!==null;){if(!$r(e.context._currentValue,e.memoizedValue))return!0;e=e.next}return!1}function Pa(e){Ea=e,Da=null,e=e.dependencies,e!==null&&(e.firstContext=null)}function Fa(e){return La(Ea,e)}function Ia(e,t){return Ea===null&&Pa(e),La(e,t)}function La(e,t){var n=t._currentValue;if(t={context:t,memoizedValue:n,next:null},Da===null){if(e===null)throw Error(a(308));Da=t,e.dependencies={lanes:0,firstContext:t},e.flags|=524288}else Da=Da.next=t;return n}var Ra=typeof AbortController<`u`?AbortController:function(){var e=[],t=this.signal={aborted:!1,addEventListener:function(t,n){e.push(n)}};this.abort=function(){t.aborted=!0,e.forEach(function(e){return e()})}},za=t.unstable_scheduleCallback,Ba=t.unstable_NormalPriority,j={$$typeof:de,Consumer:null,Provider:null,_currentValue:null,_currentValue2:null,_threadCount:0};function Va(){return{controller:new Ra,data:new Map,refCount:0}}function Ha(e){e.refCount--,e.refCount===0&&za(Ba,function(){e.controller.abort()})}function Ua(e,t){if(e.pendingLanes&4194048){var n=e.transitionTypes;for(n===null&&(n=e.transitionTypes=[]),e=0;e<t.length;e++){var r=t[e];n.indexOf(r)===-1&&n.push(r)}}}var Wa=null;function Ga(e){var t=e.transitionTypes;return e.transitionTypes=null,t}var Ka=null,qa=0,Ja=0,Ya=null;function Xa(e,t){if(Ka===null){var n=Ka=[];qa=0,Ja=Pf(),Ya={status:`pending`,value:void 0,then:function(e){n.push(e)}}}return qa++,t.then(Za,Za),t}function Za(){if(--qa===0&&(Wa=null,Ka!==null)){Ya!==null&&(Ya.status=`fulfilled`);var e=Ka;Ka=null,Ja=0,Ya=null;for(var t=0;t<e.length;t++)(0,e[t])()}}function Qa(e,t){var n=[],r={status:`pending`,value:null,reason:null,then:function(e){n.push(e)}};return e.then(function(){r.status=`fulfilled`,r.value=t;for(var e=0;e<n.length;e++)(0,n[e])(t)},function(e){for(r.status=`rejected`,r.reason=e,e=0;e<n.length;e++)(0,n[e])(void 0)}),r}var $a=C.S;C.S=function(e,t){if(gd=Ze(),typeof t==`object`&&t&&typeof t.then==`function`&&Xa(e,t),Wa!==null)for(var n=bf;n!==null;)Ua(n,Wa),n=n.next;if(n=e.types,n!==null){for(var r=bf;r!==null;)Ua(r,n),r=r.next;if(Ja!==0){r=Wa,r===null&&(r=Wa=[]);for(var i=0;i<n.length;i++){var a=n[i];r.indexOf(a)===-1&&r.push(a)}}}$a!==null&&$a(e,t)};var eo=ke(null);function to(){var e=eo.current;return e===null?G.pooledCache:e}function no(e,t){t===null?T(eo,eo.current):T(eo,t.pool)}function ro(){var e=to();return e===null?null:{parent:j._currentValue,pool:e}}var io=Error(a(460)),ao=Error(a(474)),oo=Error(a(542)),so={then:function(){}};function co(e){return e=e.status,e===`fulfilled`||e===`rejected`}function lo(e,t,n){switch(n=e[n],n===void 0?e.push(t):n!==t&&(t.then(An,An),t=n),t.status){case`fulfilled`:return t.value;case`rejected`:throw e=t.reason,mo(e),e===void 0&&!(`reason`in t)?Error(a(600)):e;default:if(typeof t.status==`string`)t.then(An,An);else{if(e=G,e!==null&&100<e.shellSuspendCounter)throw Error(a(482));e=t,e.status=`pending`,e.then(function(e){if(t.status===`pending`){var n=t;n.status=`fulfilled`,n.value=e}},function(e){if(t.status===`pending`){var n=t;n.status=`rejected`,n.reason=e}})}switch(t.status){case`fulfilled`:return t.value;case`rejected`:throw e=t.reason,mo(e),e}throw fo=t,io}}function uo(e){try{var t=e._init;return t(e._payload)}catch(e){throw typeof e==`object`&&e&&typeof e.then==`function`?(fo=e,io):e}}var fo=null;function po(){if(fo===null)throw Error(a(459));var e=fo;return fo=null,e}function mo(e){if(e===io||e===oo)throw Error(a(483))}var ho=null,go=0;function _o(e){var t=go;return go+=1,ho===null&&(ho=[]),lo(ho,e,t)}function vo(e,t){t=t.props.ref,e.ref=t===void 0?null:t}function yo(e,t){throw t.$$typeof===ie?Error(a(525)):(e=Object.prototype.toString.call(t),Error(a(31,e===`[object Object]`?`object with keys {`+Object.keys(t).join(`, `)+`}`:e)))}function bo(e){function t(t,n){if(e){var r=t.deletions;r===null?(t.deletions=[n],t.flags|=16):r.push(n)}}function n(n,r){if(!e)return null;for(;r!==null;)t(n,r),r=r.sibling;return null}function r(e){for(var t=new Map;e!==null;)e.key===null?t.set(e.index,e):t.set(e.key,e),e=e.sibling;return t}function i(e,t){return e=Ki(e,t),e.index=0,e.sibling=null,e}function o(t,n,r){return t.index=r,e?(r=t.alternate,r===null?(t.flags|=134217730,n):(r=r.index,r<n?(t.flags|=2,n):r)):(t.flags|=1048576,n)}function s(t){return e&&t.alternate===null&&(t.flags|=134217730),t}function c(e,t,n,r){return t===null||t.tag!==6?(t=Xi(n,e.mode,r),t.return=e,t):(t=i(t,n),t.return=e,t)}function l(e,t,n,r){var a=n.type;return a===se?(e=d(e,t,n.props.children,r,n.key),vo(e,n),e):t!==null&&(t.elementType===a||typeof a==`object`&&a&&a.$$typeof===ge&&uo(a)===t.type)?(t=i(t,n.props),vo(t,n),t.return=e,t):(t=Ji(n.type,n.key,n.props,null,e.mode,r),vo(t,n),t.return=e,t)}function u(e,t,n,r){return t===null||t.tag!==4||t.stateNode.containerInfo!==n.containerInfo||t.stateNode.implementation!==n.implementation?(t=Qi(n,e.mode,r),t.return=e,t):(t=i(t,n.children||[]),t.return=e,t)}function d(e,t,n,r,a){return t===null||t.tag!==7?(t=Yi(n,e.mode,r,a),t.return=e,t):(t=i(t,n),t.return=e,t)}function f(e,t,n){if(typeof t==`string`&&t!==``||typeof t==`number`||typeof t==`bigint`)return t=Xi(``+t,e.mode,n),t.return=e,t;if(typeof t==`object`&&t){switch(t.$$typeof){case ae:return n=Ji(t.type,t.key,t.props,null,e.mode,n),vo(n,t),n.return=e,n;case oe:return t=Qi(t,e.mode,n),t.return=e,t;case ge:return t=uo(t),f(e,t,n)}if(Te(t)||Ce(t))return t=Yi(t,e.mode,n,null),t.return=e,t;if(typeof t.then==`function`)return f(e,_o(t),n);if(t.$$typeof===de)return f(e,Ia(e,t),n);yo(e,t)}return null}function p(e,t,n,r){var i=t===null?null:t.key;if(typeof n==`string`&&n!==``||typeof n==`number`||typeof n==`bigint`)return i===null?c(e,t,``+n,r):null;if(typeof n==`object`&&n){switch(n.$$typeof){case ae:return n.key===i?l(e,t,n,r):null;case oe:return n.key===i?u(e,t,n,r):null;case ge:return n=uo(n),p(e,t,n,r)}if(Te(n)||Ce(n))return i===null?d(e,t,n,r,null):null;if(typeof n.then==`function`)return p(e,t,_o(n),r);if(n.$$typeof===de)return p(e,t,Ia(e,n),r);yo(e,n)}return null}function m(e,t,n,r,i){if(typeof r==`string`&&r!==``||typeof r==`number`||typeof r==`bigint`)return e=e.get(n)||null,c(t,e,``+r,i);if(typeof r==`object`&&r){switch(r.$$typeof){case ae:return e=e.get(r.key===null?n:r.key)||null,l(t,e,r,i);case oe:return e=e.get(r.key===null?n:r.key)||null,u(t,e,r,i);case ge:return r=uo(r),m(e,t,n,r,i)}if(Te(r)||Ce(r))return e=e.get(n)||null,d(t,e,r,i,null);if(typeof r.then==`function`)return m(e,t,n,_o(r),i);if(r.$$typeof===de)return m(e,t,n,Ia(t,r),i);yo(t,r)}return null}function h(i,a,s,c){for(var l=null,u=null,d=a,h=a=0,g=null;d!==null&&h<s.length;h++){d.index>h?(g=d,d=null):g=d.sibling;var _=p(i,d,s[h],c);if(_===null){d===null&&(d=g);break}e&&d&&_.alternate===null&&t(i,d),a=o(_,a,h),u===null?l=_:u.sibling=_,u=_,d=g}if(h===s.length)return n(i,d),k&&ua(i,h),l;if(d===null){for(;h<s.length;h++)d=f(i,s[h],c),d!==null&&(a=o(d,a,h),u===null?l=d:u.sibling=d,u=d);return k&&ua(i,h),l}for(d=r(d);h<s.length;h++)g=m(d,i,h,s[h],c),g!==null&&(e&&(_=g.alternate,_!==null&&d.delete(_.key===null?h:_.key)),a=o(g,a,h),u===null?l=g:u.sibling=g,u=g);return e&&d.forEach(function(e){return t(i,e)}),k&&ua(i,h),l}function g(i,s,c,l){if(c==null)throw Error(a(151));for(var u=null,d=null,h=s,g=s=0,_=null,v=c.next();h!==null&&!v.done;g++,v=c.next()){h.index>g?(_=h,h=null):_=h.sibling;var y=p(i,h,v.value,l);if(y===null){h===null&&(h=_);break}e&&h&&y.alternate===null&&t(i,h),s=o(y,s,g),d===null?u=y:d.sibling=y,d=y,h=_}if(v.done)return n(i,h),k&&ua(i,g),u;if(h===null){for(;!v.done;g++,v=c.next())v=f(i,v.value,l),v!==null&&(s=o(v,s,g),d===null?u=v:d.sibling=v,d=v);return k&&ua(i,g),u}for(h=r(h);!v.done;g++,v=c.next())v=m(h,i,g,v.value,l),v!==null&&(e&&(_=v.alternate,_!==null&&h.delete(_.key===null?g:_.key)),s=o(v,s,g),d===null?u=v:d.sibling=v,d=v);return e&&h.forEach(function(e){return t(i,e)}),k&&ua(i,g),u}function _(e,r,o,c){if(typeof o==`object`&&o&&o.type===se&&o.key===null&&o.props.ref===void 0&&(o=o.props.children),typeof o==`object`&&o){switch(o.$$typeof){case ae:a:{for(var l=o.key;r!==null;){if(r.key===l){if(l=o.type,l===se){if(r.tag===7){n(e,r.sibling),c=i(r,o.props.children),vo(c,o),c.return=e,e=c;break a}}else if(r.elementType===l||typeof l==`object`&&l&&l.$$typeof===ge&&uo(l)===r.type){n(e,r.sibling),c=i(r,o.props),vo(c,o),c.return=e,e=c;break a}n(e,r);break}t(e,r),r=r.sibling}o.type===se?(c=Yi(o.props.children,e.mode,c,o.key),vo(c,o),c.return=e,e=c):(c=Ji(o.type,o.key,o.props,null,e.mode,c),vo(c,o),c.return=e,e=c)}return s(e);case oe:a:{for(l=o.key;r!==null;){if(r.key===l){if(r.tag===4&&r.stateNode.containerInfo===o.containerInfo&&r.stateNode.implementation===o.implementation){n(e,r.sibling),c=i(r,o.children||[]),c.return=e,e=c;break a}n(e,r);break}t(e,r),r=r.sibling}c=Qi(o,e.mode,c),c.return=e,e=c}return s(e);case ge:return o=uo(o),_(e,r,o,c)}if(Te(o))return h(e,r,o,c);if(Ce(o)){if(l=Ce(o),typeof l!=`function`)throw Error(a(150));return o=l.call(o),g(e,r,o,c)}if(typeof o.then==`function`)return _(e,r,_o(o),c);if(o.$$typeof===de)return _(e,r,Ia(e,o),c);yo(e,o)}return typeof o==`string`&&o!==``||typeof o==`number`||typeof o==`bigint`?(o=``+o,r!==null&&r.tag===6?(n(e,r.sibling),c=i(r,o),c.return=e,e=c):(n(e,r),c=Xi(o,e.mode,c),c.return=e,e=c),s(e)):n(e,r)}return function(e,t,n,r){try{go=0;var i=_(e,t,n,r);return ho=null,i}catch(t){if(t===io||t===oo)throw t;var a=Wi(29,t,null,e.mode);return a.lanes=r,a.return=e,a}}}var xo=bo(!0),So=bo(!1),Co=!1;function wo(e){e.updateQueue={baseState:e.memoizedState,firstBaseUpdate:null,lastBaseUpdate:null,shared:{pending:null,lanes:0,hiddenCallbacks:null},callbacks:null}}function To(e,t){e=e.updateQueue,t.updateQueue===e&&(t.updateQueue={baseState:e.baseState,firstBaseUpdate:e.firstBaseUpdate,lastBaseUpdate:e.lastBaseUpdate,shared:e.shared,callbacks:null})}function Eo(e){return{lane:e,tag:0,payload:null,callback:null,next:null}}function Do(e,t,n){var r=e.updateQueue;if(r===null)return null;if(r=r.shared,W&2){var i=r.pending;return i===null?t.next=t:(t.next=i.next,i.next=t),r.pending=t,t=Vi(e),Bi(e,null,n),t}return Li(e,r,t,n),Vi(e)}function Oo(e,t,n){if(t=t.updateQueue,t!==null&&(t=t.shared,n&4194048)){var r=t.lanes;r&=e.pendingLanes,n|=r,t.lanes=n,Ot(e,n)}}function ko(e,t){var n=e.updateQueue,r=e.alternate;if(r!==null&&(r=r.updateQueue,n===r)){var i=null,a=null;if(n=n.firstBaseUpdate,n!==null){do{var o={lane:n.lane,tag:n.tag,payload:n.payload,callback:null,next:null};a===null?i=a=o:a=a.next=o,n=n.next}while(n!==null);a===null?i=a=t:a=a.next=t}else i=a=t;n={baseState:r.baseState,firstBaseUpdate:i,lastBaseUpdate:a,shared:r.shared,callbacks:r.callbacks},e.updateQueue=n}else e=n.lastBaseUpdate,e===null?n.firstBaseUpdate=t:e.next=t,n.lastBaseUpdate=t}var Ao=!1;function jo(){if(Ao){var e=Ya;if(e!==null)throw e}}function Mo(e,t,n,r){Ao=!1;var i=e.updateQueue;Co=!1;var a=i.firstBaseUpdate,o=i.lastBaseUpdate,s=i.shared.pending;if(s!==null){i.shared.pending=null;var c=s,l=c.next;c.next=null,o===null?a=l:o.next=l,o=c;var u=e.alternate;u!==null&&(u=u.updateQueue,s=u.lastBaseUpdate,s!==o&&(s===null?u.firstBaseUpdate=l:s.next=l,u.lastBaseUpdate=c))}if(a!==null){var d=i.baseState;o=0,u=l=c=null,s=a;do{var f=s.lane&-536870913,p=f!==s.lane;if(p?(q&f)===f:(r&f)===f){f!==0&&f===Ja&&(Ao=!0),u!==null&&(u=u.next={lane:0,tag:s.tag,payload:s.payload,callback:null,next:null});a:{var m=e,h=s;f=t;var g=n;switch(h.tag){case 1:if(m=h.payload,typeof m==`function`){d=m.call(g,d,f);break a}d=m;break a;case 3:m.flags=m.flags&-65537|128;case 0:if(m=h.payload,f=typeof m==`function`?m.call(g,d,f):m,f==null)break a;d=x({},d,f);break a;case 2:Co=!0}}f=s.callback,f!==null&&(e.flags|=64,p&&(e.flags|=8192),p=i.callbacks,p===null?i.callbacks=[f]:p.push(f))}else p={lane:f,tag:s.tag,payload:s.payload,callback:s.callback,next:null},u===null?(l=u=p,c=d):u=u.next=p,o|=f;if(s=s.next,s===null){if(s=i.shared.pending,s===null)break;p=s,s=p.next,p.next=null,i.lastBaseUpdate=p,i.shared.pending=null}}while(1);u===null&&(c=d),i.baseState=c,i.firstBaseUpdate=l,i.lastBaseUpdate=u,a===null&&(i.shared.lanes=0),sd|=o,e.lanes=o,e.memoizedState=d}}function No(e,t){if(typeof e!=`function`)throw Error(a(191,e));e.call(t)}function Po(e,t){var n=e.callbacks;if(n!==null)for(e.callbacks=null,e=0;e<n.length;e++)No(n[e],t)}var Fo=ke(null),Io=ke(0);function Lo(e,t){e=od,T(Io,e),T(Fo,t),od=e|t.baseLanes}function Ro(){T(Io,od),T(Fo,Fo.current)}function zo(){od=Io.current,Ae(Fo),Ae(Io)}var Bo=ke(null),Vo=null;function Ho(e){var t=e.alternate;T(qo,qo.current&1),T(Bo,e),Vo===null&&(t===null||Fo.current!==null||t.memoizedState!==null)&&(Vo=e)}function Uo(e){T(qo,qo.current),T(Bo,e),Vo===null&&(Vo=e)}function Wo(e){e.tag===22?(T(qo,qo.current),T(Bo,e),Vo===null&&(Vo=e)):Go()}function Go(){T(qo,qo.current),T(Bo,Bo.current)}function Ko(e){Ae(Bo),Vo===e&&(Vo=null),Ae(qo)}var qo=ke(0);function Jo(e,t){T(Bo,Bo.current),T(qo,t)}function Yo(e){Ae(qo),Ae(Bo),Vo===e&&(Vo=null)}function Xo(e){for(var t=e;t!==null;){if(t.tag===13){var n=t.memoizedState;if(n!==null&&(n=n.dehydrated,n===null||om(n)||sm(n)))return t}else if(t.tag===19&&t.memoizedProps.revealOrder!==`independent`){if(t.flags&128)return t}else if(t.child!==null){t.child.return=t,t=t.child;continue}if(t===e)break;for(;t.sibling===null;){if(t.return===null||t.return===e)return null;t=t.return}t.sibling.return=t.return,t=t.sibling}return null}var Zo=0,M=null,N=null,P=null,Qo=!1,$o=!1,es=!1,ts=0,ns=0,rs=null,is=0;function F(){throw Error(a(321))}function as(e,t){if(t===null)return!1;for(var n=0;n<t.length&&n<e.length;n++)if(!$r(e[n],t[n]))return!1;return!0}function os(e,t,n,r,i,a){return Zo=a,M=t,t.memoizedState=null,t.updateQueue=null,t.lanes=0,C.H=e===null||e.memoizedState===null?xc:Sc,es=!1,a=n(r,i),es=!1,$o&&(a=cs(t,n,r,i)),ss(e),a}function ss(e){C.H=bc;var t=N!==null&&N.next!==null;if(Zo=0,P=N=M=null,Qo=!1,ns=0,rs=null,t)throw Error(a(300));e===null||R||(e=e.dependencies,e!==null&&Na(e)&&(R=!0))}function cs(e,t,n,r){M=e;var i=0;do{if($o&&(rs=null),ns=0,$o=!1,25<=i)throw Error(a(301));if(i+=1,P=N=null,e.updateQueue!=null){var o=e.updateQueue;o.lastEffect=null,o.events=null,o.stores=null,o.memoCache!=null&&(o.memoCache.index=0)}C.H=Cc,o=t(n,r)}while($o);return o}function ls(){var e=C.H,t=e.useState()[0];return t=typeof t.then==`function`?hs(t):t,e=e.useState()[0],(N===null?null:N.memoizedState)!==e&&(M.flags|=1024),t}function us(){var e=ts!==0;return ts=0,e}function ds(e,t,n){t.updateQueue=e.updateQueue,t.flags&=-2053,e.lanes&=~n}function fs(e){if(Qo){for(e=e.memoizedState;e!==null;){var t=e.queue;t!==null&&(t.pending=null),e=e.next}Qo=!1}Zo=0,P=N=M=null,$o=!1,ns=ts=0,rs=null}function ps(){var e={memoizedState:null,baseState:null,baseQueue:null,queue:null,next:null};return P===null?M.memoizedState=P=e:P=P.next=e,P}function I(){if(N===null){var e=M.alternate;e=e===null?null:e.memoizedState}else e=N.next;var t=P===null?M.memoizedState:P.next;if(t!==null)P=t,N=e;else{if(e===null)throw M.alternate===null?Error(a(467)):Error(a(310));N=e,e={memoizedState:N.memoizedState,baseState:N.baseState,baseQueue:N.baseQueue,queue:N.queue,next:null},P===null?M.memoizedState=P=e:P=P.next=e}return P}function ms(){return{lastEffect:null,events:null,stores:null,memoCache:null}}function hs(e){var t=ns;return ns+=1,rs===null&&(rs=[]),e=lo(rs,e,t),t=M,(P===null?t.memoizedState:P.next)===null&&(t=t.alternate,C.H=t===null||t.memoizedState===null?xc:Sc),e}function gs(e){if(typeof e==`object`&&e){if(typeof e.then==`function`)return hs(e);if(e.$$typeof===xe)return;if(e.$$typeof===de)return Fa(e)}throw Error(a(438,String(e)))}function _s(e){var t=null,n=M.updateQueue;if(n!==null&&(t=n.memoCache),t==null){var r=M.alternate;r!==null&&(r=r.updateQueue,r!==null&&(r=r.memoCache,r!=null&&(t={data:r.data.map(function(e){return e.slice()}),index:0})))}if(t??={data:[],index:0},n===null&&(n=ms(),M.updateQueue=n),n.memoCache=t,n=t.data[t.index],n===void 0)for(n=t.data[t.index]=Array(e),r=0;r<e;r++)n[r]=ye;return t.index++,n}function vs(e,t){return typeof t==`function`?t(e):t}function ys(e){return bs(I(),N,e)}function bs(e,t,n){var r=e.queue;if(r===null)throw Error(a(311));r.lastRenderedReducer=n;var i=e.baseQueue,o=r.pending;if(o!==null){if(i!==null){var s=i.next;i.next=o.next,o.next=s}t.baseQueue=i=o,r.pending=null}if(o=e.baseState,i===null)e.memoizedState=o;else{t=i.next;var c=s=null,l=null,u=t,d=!1;do{var f=u.lane&-536870913;if(f===u.lane?(Zo&f)===f:(q&f)===f){var p=u.revertLane;if(p===0)l!==null&&(l=l.next={lane:0,revertLane:0,gesture:null,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null}),f===Ja&&(d=!0);else if((Zo&p)===p){u=u.next,p===Ja&&(d=!0);continue}else f={lane:0,revertLane:u.revertLane,gesture:null,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null},l===null?(c=l=f,s=o):l=l.next=f,M.lanes|=p,sd|=p;f=u.action,es&&n(o,f),o=u.hasEagerState?u.eagerState:n(o,f)}else p={lane:f,revertLane:u.revertLane,gesture:u.gesture,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null},l===null?(c=l=p,s=o):l=l.next=p,M.lanes|=f,sd|=f;u=u.next}while(u!==null&&u!==t);if(l===null?s=o:l.next=c,!$r(o,e.memoizedState)&&(R=!0,d&&(n=Ya,n!==null)))throw n;e.memoizedState=o,e.baseState=s,e.baseQueue=l,r.lastRenderedState=o}return i===null&&(r.lanes=0),[e.memoizedState,r.dispatch]}function xs(e){var t=I(),n=t.queue;if(n===null)throw Error(a(311));n.lastRenderedReducer=e;var r=n.dispatch,i=n.pending,o=t.memoizedState;if(i!==null){n.pending=null;var s=i=i.next;do o=e(o,s.action),s=s.next;while(s!==i);$r(o,t.memoizedState)||(R=!0),t.memoizedState=o,t.baseQueue===null&&(t.baseState=o),n.lastRenderedState=o}return[o,r]}function Ss(e,t,n){var r=M,i=I(),o=k;if(o){if(n===void 0)throw Error(a(407));n=n()}else n=t();var s=!$r((N||i).memoizedState,n);if(s&&(i.memoizedState=n,R=!0),i=i.queue,Ks(Ts.bind(null,r,i,e),[e]),e=i.getSnapshot!==t||s||P!==null&&!!(P.memoizedState.tag&1),Vs(e?9:8,{destroy:void 0},ws.bind(null,r,i,n,t),null),e){if(r.flags|=2048,G===null)throw Error(a(349));o||Zo&127||Cs(r,t,n)}return n}function Cs(e,t,n){e.flags|=16384,e={getSnapshot:t,value:n},t=M.updateQueue,t===null?(t=ms(),M.updateQueue=t,t.stores=[e]):(n=t.stores,n===null?t.stores=[e]:n.push(e))}function ws(e,t,n,r){t.value=n,t.getSnapshot=r,Es(t)&&Ds(e)}function Ts(e,t,n){return n(function(){Es(t)&&Ds(e)})}function Es(e){var t=e.getSnapshot;e=e.value;try{var n=t();return!$r(e,n)}catch{return!0}}function Ds(e){var t=zi(e,2);t!==null&&Pd(t,e,2)}function Os(e){var t=ps();if(typeof e==`function`){var n=e;if(e=n(),es){ct(!0);try{n()}finally{ct(!1)}}}return t.memoizedState=t.baseState=e,t.queue={pending:null,lanes:0,dispatch:null,lastRenderedReducer:vs,lastRenderedState:e},t}function ks(e,t,n,r){return e.baseState=n,bs(e,N,typeof r==`function`?r:vs)}function As(e,t,n,r,i){if(_c(e))throw Error(a(485));if(e=t.action,e!==null){var o={payload:i,action:e,next:null,isTransition:!0,status:`pending`,value:null,reason:null,listeners:[],then:function(e){o.listeners.push(e)}};C.T===null?o.isTransition=!1:n(!0),r(o),n=t.pending,n===null?(o.next=t.pending=o,js(t,o)):(o.next=n.next,t.pending=n.next=o)}}function js(e,t){var n=t.action,r=t.payload,i=e.state;if(t.isTransition){var a=C.T,o={};o.types=a===null?null:a.types,C.T=o;try{var s=n(i,r),c=C.S;c!==null&&c(o,s),Ms(e,t,s)}catch(n){Ps(e,t,n)}finally{a!==null&&o.types!==null&&(a.types=o.types),C.T=a}}else try{a=n(i,r),Ms(e,t,a)}catch(n){Ps(e,t,n)}}function Ms(e,t,n){typeof n==`object`&&n&&typeof n.then==`function`?n.then(function(n){Ns(e,t,n)},function(n){return Ps(e,t,n)}):Ns(e,t,n)}function Ns(e,t,n){t.status=`fulfilled`,t.value=n,Fs(t),e.state=n,t=e.pending,t!==null&&(n=t.next,n===t?e.pending=null:(n=n.next,t.next=n,js(e,n)))}function Ps(e,t,n){var r=e.pending;if(e.pending=null,r!==null){r=r.next;do t.status=`rejected`,t.reason=n,Fs(t),t=t.next;while(t!==r)}e.action=null}function Fs(e){e=e.listeners;for(var t=0;t<e.length;t++)(0,e[t])()}function L(e,t){return t}function Is(e,t){if(k){var n=G.formState;if(n!==null){a:{var r=M;if(k){if(O){b:{for(var i=O,a=ga;i.nodeType!==8;)if(!a||(i=lm(i.nextSibling),i===null)){i=null;break b}a=i.data,i=a===`F!`||a===`F`?i:null}if(i){O=lm(i.nextSibling),r=i.data===`F!`;break a}}va(r)}r=!1}r&&(t=n[0])}}return n=ps(),n.memoizedState=n.baseState=t,r={pending:null,lanes:0,dispatch:null,lastRenderedReducer:L,lastRenderedState:t},n.queue=r,n=mc.bind(null,M,r),r.dispatch=n,r=Os(!1),a=gc.bind(null,M,!1,r.queue),r=ps(),i={state:t,dispatch:null,action:e,pending:null},r.queue=i,n=As.bind(null,M,i,a,n),i.dispatch=n,r.memoizedState=e,[t,n,!1]}function Ls(e){return Rs(I(),N,e)}function Rs(e,t,n){if(t=bs(e,t,L)[0],e=ys(vs)[0],typeof t==`object`&&t&&typeof t.then==`function`)try{var r=hs(t)}catch(e){throw e===io?oo:e}else r=t;t=I();var i=t.queue,a=i.dispatch;return n!==t.memoizedState&&(M.flags|=2048,Vs(9,{destroy:void 0},zs.bind(null,i,n),null)),[r,a,e]}function zs(e,t){e.action=t}function Bs(e){var t=I(),n=N;if(n!==null)return Rs(t,n,e);I(),t=t.memoizedState,n=I();var r=n.queue.dispatch;return n.memoizedState=e,[t,r,!1]}function Vs(e,t,n,r){return e={tag:e,create:n,deps:r,inst:t,next:null},t=M.updateQueue,t===null&&(t=ms(),M.updateQueue=t),n=t.lastEffect,n===null?t.lastEffect=e.next=e:(r=n.next,n.next=e,e.next=r,t.lastEffect=e),e}function Hs(){return I().memoizedState}function Us(e,t,n,r){var i=ps();M.flags|=e,i.memoizedState=Vs(1|t,{destroy:void 0},n,r===void 0?null:r)}function Ws(e,t,n,r){var i=I();r=r===void 0?null:r;var a=i.memoizedState.inst;N!==null&&r!==null&&as(r,N.memoizedState.deps)?i.memoizedState=Vs(t,a,n,r):(M.flags|=e,i.memoizedState=Vs(1|t,a,n,r))}function Gs(e,t){Us(8390656,8,e,t)}function Ks(e,t){Ws(2048,8,e,t)}function qs(e){M.flags|=4;var t=M.updateQueue;if(t===null)t=ms(),M.updateQueue=t,t.events=[e];else{var n=t.events;n===null?t.events=[e]:n.push(e)}}function Js(e){var t=I().memoizedState;return qs({ref:t,nextImpl:e}),function(){if(W&2)throw Error(a(440));return t.impl.apply(void 0,arguments)}}function Ys(e,t){return Ws(4,2,e,t)}function Xs(e,t){return Ws(4,4,e,t)}function Zs(e,t){if(typeof t==`function`){e=e();var n=t(e);return function(){typeof n==`function`?n():t(null)}}if(t!=null)return e=e(),t.current=e,function(){t.current=null}}function Qs(e,t,n){n=n==null?null:n.concat([e]),Ws(4,4,Zs.bind(null,t,e),n)}function $s(){}function ec(e,t){var n=I();t=t===void 0?null:t;var r=n.memoizedState;return t!==null&&as(t,r[1])?r[0]:(n.memoizedState=[e,t],e)}function tc(e,t){var n=I();t=t===void 0?null:t;var r=n.memoizedState;if(t!==null&&as(t,r[1]))return r[0];if(r=e(),es){ct(!0);try{e()}finally{ct(!1)}}return n.memoizedState=[r,t],r}function nc(e,t,n){return n===void 0||Zo&1073741824&&!(q&261930)?e.memoizedState=t:(e.memoizedState=n,e=Md(),M.lanes|=e,sd|=e,n)}function rc(e,t,n,r){return $r(n,t)?n:Fo.current===null?!(Zo&106)||Zo&1073741824&&!(q&261930)?(R=!0,e.memoizedState=n):(e=Md(),M.lanes|=e,sd|=e,t):(e=nc(e,n,r),$r(e,t)||(R=!0),e)}function ic(e,t,n,r,i){var a=w.p;w.p=a!==0&&8>a?a:8;var o=C.T,s={};s.types=o===null?null:o.types,C.T=s,gc(e,!1,t,n);try{var c=i(),l=C.S;l!==null&&l(s,c),typeof c==`object`&&c&&typeof c.then==`function`?hc(e,t,Qa(c,r),jd(e)):hc(e,t,r,jd(e))}catch(n){hc(e,t,{then:function(){},status:`rejected`,reason:n},jd())}finally{w.p=a,o!==null&&s.types!==null&&(o.types=s.types),C.T=o}}function ac(){}function oc(e,t,n,r){if(e.tag!==5)throw Error(a(476));var i=sc(e).queue;ic(e,i,t,Ee,n===null?ac:function(){return cc(e),n(r)})}function sc(e){var t=e.memoizedState;if(t!==null)return t;t={memoizedState:Ee,baseState:Ee,baseQueue:null,queue:{pending:null,lanes:0,dispatch:null,lastRenderedReducer:vs,lastRenderedState:Ee},next:null};var n={};return t.next={memoizedState:n,baseState:n,baseQueue:null,queue:{pending:null,lanes:0,dispatch:null,lastRenderedReducer:vs,lastRenderedState:n},next:null},e.memoizedState=t,e=e.alternate,e!==null&&(e.memoizedState=t),t}function cc(e){var t=sc(e);t.next===null&&(t=e.alternate.memoizedState),hc(e,t.next.queue,{},jd())}function lc(){return Fa(sh)}function uc(){return I().memoizedState}function dc(){return I().memoizedState}function fc(e){for(var t=e.return;t!==null;){switch(t.tag){case 24:case 3:var n=jd();e=Eo(n);var r=Do(t,e,n);r!==null&&(Pd(r,t,n),Oo(r,t,n)),t={cache:Va()},e.payload=t;return}t=t.return}}function pc(e,t,n){var r=jd();n={lane:r,revertLane:0,gesture:null,action:n,hasEagerState:!1,eagerState:null,next:null},_c(e)?vc(t,n):(n=Ri(e,t,n,r),n!==null&&(Pd(n,e,r),yc(n,t,r)))}function mc(e,t,n){hc(e,t,n,jd())}function hc(e,t,n,r){var i={lane:r,revertLane:0,gesture:null,action:n,hasEagerState:!1,eagerState:null,next:null};if(_c(e))vc(t,i);else{var a=e.alternate;if(e.lanes===0&&(a===null||a.lanes===0)&&(a=t.lastRenderedReducer,a!==null))try{var o=t.lastRenderedState,s=a(o,n);if(i.hasEagerState=!0,i.eagerState=s,$r(s,o))return Li(e,t,i,0),G===null&&Ii(),!1}catch{}if(n=Ri(e,t,i,r),n!==null)return Pd(n,e,r),yc(n,t,r),!0}return!1}function gc(e,t,n,r){if(r={lane:2,revertLane:Pf(),gesture:null,action:r,hasEagerState:!1,eagerState:null,next:null},_c(e)){if(t)throw Error(a(479))}else t=Ri(e,n,r,2),t!==null&&Pd(t,e,2)}function _c(e){var t=e.alternate;return e===M||t!==null&&t===M}function vc(e,t){$o=Qo=!0;var n=e.pending;n===null?t.next=t:(t.next=n.next,n.next=t),e.pending=t}function yc(e,t,n){if(n&4194048){var r=t.lanes;r&=e.pendingLanes,n|=r,t.lanes=n,Ot(e,n)}}var bc={readContext:Fa,use:gs,useCallback:F,useContext:F,useEffect:F,useImperativeHandle:F,useLayoutEffect:F,useInsertionEffect:F,useMemo:F,useReducer:F,useRef:F,useState:F,useDebugValue:F,useDeferredValue:F,useTransition:F,useSyncExternalStore:F,useId:F,useHostTransitionStatus:F,useFormState:F,useActionState:F,useOptimistic:F,useMemoCache:F,useCacheRefresh:F,useEffectEvent:F},xc={readContext:Fa,use:gs,useCallback:function(e,t){return ps().memoizedState=[e,t===void 0?null:t],e},useContext:Fa,useEffect:Gs,useImperativeHandle:function(e,t,n){n=n==null?null:n.concat([e]),Us(4194308,4,Zs.bind(null,t,e),n)},useLayoutEffect:function(e,t){return Us(4194308,4,e,t)},useInsertionEffect:function(e,t){Us(4,2,e,t)},useMemo:function(e,t){var n=ps();t=t===void 0?null:t;var r=e();if(es){ct(!0);try{e()}finally{ct(!1)}}return n.memoizedState=[r,t],r},useReducer:function(e,t,n){var r=ps();if(n!==void 0){var i=n(t);if(es){ct(!0);try{n(t)}finally{ct(!1)}}}else i=t;return r.memoizedState=r.baseState=i,e={pending:null,lanes:0,dispatch:null,lastRenderedReducer:e,lastRenderedState:i},r.queue=e,e=e.dispatch=pc.bind(null,M,e),[r.memoizedState,e]},useRef:function(e){var t=ps();return e={current:e},t.memoizedState=e},useState:function(e){e=Os(e);var t=e.queue,n=mc.bind(null,M,t);return t.dispatch=n,[e.memoizedState,n]},useDebugValue:$s,useDeferredValue:function(e,t){return nc(ps(),e,t)},useTransition:function(){var e=Os(!1);return e=ic.bind(null,M,e.queue,!0,!1),ps().memoizedState=e,[!1,e]},useSyncExternalStore:function(e,t,n){var r=M,i=ps();if(k){if(n===void 0)throw Error(a(407));n=n()}else{if(n=t(),G===null)throw Error(a(349));q&127||Cs(r,t,n)}i.memoizedState=n;var o={value:n,getSnapshot:t};return i.queue=o,Gs(Ts.bind(null,r,o,e),[e]),r.flags|=2048,Vs(9,{destroy:void 0},ws.bind(null,r,o,n,t),null),n},useId:function(){var e=ps(),t=G.identifierPrefix;if(k){var n=la,r=ca;n=(r&~(1<<32-lt(r)-1)).toString(32)+n,t=`_`+t+`R_`+n,n=ts++,0<n&&(t+=`H`+n.toString(32)),t+=`_`}else n=is++,t=`_`+t+`r_`+n.toString(32)+`_`;return e.memoizedState=t},useHostTransitionStatus:lc,useFormState:Is,useActionState:Is,useOptimistic:function(e){var t=ps();t.memoizedState=t.baseState=e;var n={pending:null,lanes:0,dispatch:null,lastRenderedReducer:null,lastRenderedState:null};return t.queue=n,t=gc.bind(null,M,!0,n),n.dispatch=t,[e,t]},useMemoCache:_s,useCacheRefresh:function(){return ps().memoizedState=fc.bind(null,M)},useEffectEvent:function(e){var t=ps(),n={impl:e};return t.memoizedState=n,function(){if(W&2)throw Error(a(440));return n.impl.apply(void 0,arguments)}}},Sc={readContext:Fa,use:gs,useCallback:ec,useContext:Fa,useEffect:Ks,useImperativeHandle:Qs,useInsertionEffect:Ys,useLayoutEffect:Xs,useMemo:tc,useReducer:ys,useRef:Hs,useState:function(){return ys(vs)},useDebugValue:$s,useDeferredValue:function(e,t){return rc(I(),N.memoizedState,e,t)},useTransition:function(){var e=ys(vs)[0],t=I().memoizedState;return[typeof e==`boolean`?e:hs(e),t]},useSyncExternalStore:Ss,useId:uc,useHostTransitionStatus:lc,useFormState:Ls,useActionState:Ls,useOptimistic:function(e,t){return ks(I(),N,e,t)},useMemoCache:_s,useCacheRefresh:dc,useEffectEvent:Js},Cc={readContext:Fa,use:gs,useCallback:ec,useContext:Fa,useEffect:Ks,useImperativeHandle:Qs,useInsertionEffect:Ys,useLayoutEffect:Xs,useMemo:tc,useReducer:xs,useRef:Hs,useState:function(){return xs(vs)},useDebugValue:$s,useDeferredValue:function(e,t){var n=I();return N===null?nc(n,e,t):rc(n,N.memoizedState,e,t)},useTransition:function(){var e=xs(vs)[0],t=I().memoizedState;return[typeof e==`boolean`?e:hs(e),t]},useSyncExternalStore:Ss,useId:uc,useHostTransitionStatus:lc,useFormState:Bs,useActionState:Bs,useOptimistic:function(e,t){var n=I();return N===null?(n.baseState=e,[e,n.queue.dispatch]):ks(n,N,e,t)},useMemoCache:_s,useCacheRefresh:dc,useEffectEvent:Js};function wc(e,t,n,r){t=e.memoizedState,n=n(r,t),n=n==null?t:x({},t,n),e.memoizedState=n,e.lanes===0&&(e.updateQueue.baseState=n)}var Tc={enqueueSetState:function(e,t,n){e=e._reactInternals;var r=jd(),i=Eo(r);i.payload=t,n!=null&&(i.callback=n),t=Do(e,i,r),t!==null&&(Pd(t,e,r),Oo(t,e,r))},enqueueReplaceState:function(e,t,n){e=e._reactInternals;var r=jd(),i=Eo(r);i.tag=1,i.payload=t,n!=null&&(i.callback=n),t=Do(e,i,r),t!==null&&(Pd(t,e,r),Oo(t,e,r))},enqueueForceUpdate:function(e,t){e=e._reactInternals;var n=jd(),r=Eo(n);r.tag=2,t!=null&&(r.callback=t),t=Do(e,r,n),t!==null&&(Pd(t,e,n),Oo(t,e,n))}};function Ec(e,t,n,r,i,a,o){return e=e.stateNode,typeof e.shouldComponentUpdate==`function`?e.shouldComponentUpdate(r,a,o):t.prototype&&t.prototype.isPureReactComponent?!ei(n,r)||!ei(i,a):!0}function Dc(e,t,n,r){e=t.state,typeof t.componentWillReceiveProps==`function`&&t.componentWillReceiveProps(n,r),typeof t.UNSAFE_componentWillReceiveProps==`function`&&t.UNSAFE_componentWillReceiveProps(n,r),t.state!==e&&Tc.enqueueReplaceState(t,t.state,null)}function Oc(e,t){var n=t;if(`ref`in t)for(var r in n={},t)r!==`ref`&&(n[r]=t[r]);if(e=e.defaultProps)for(var i in n===t&&(n=x({},n)),e)n[i]===void 0&&(n[i]=e[i]);return n}function kc(e){Mi(e)}function Ac(e){console.error(e)}function jc(e){Mi(e)}function Mc(e,t){try{var n=e.onUncaughtError;n(t.value,{componentStack:t.stack})}catch(e){setTimeout(function(){throw e})}}function Nc(e,t,n){try{var r=e.onCaughtError;r(n.value,{componentStack:n.stack,errorBoundary:t.tag===1?t.stateNode:null})}catch(e){setTimeout(function(){throw e})}}function Pc(e,t,n){return n=Eo(n),n.tag=3,n.payload={element:null},n.callback=function(){Mc(e,t)},n}function Fc(e){return e=Eo(e),e.tag=3,e}function Ic(e,t,n,r){var i=n.type.getDerivedStateFromError;if(typeof i==`function`){var a=r.value;e.payload=function(){return i(a)},e.callback=function(){Nc(t,n,r)}}var o=n.stateNode;o!==null&&typeof o.componentDidCatch==`function`&&(e.callback=function(){Nc(t,n,r),typeof i!=`function`&&(yd===null?yd=new Set([this]):yd.add(this));var e=r.stack;this.componentDidCatch(r.value,{componentStack:e===null?``:e})})}function Lc(e,t,n,r,i){if(n.flags|=32768,typeof r==`object`&&r&&typeof r.then==`function`){if(t=n.alternate,t!==null&&Ma(t,n,i,!0),n=Bo.current,n!==null){switch(n.tag){case 31:case 13:case 19:return Vo===null?Kd():n.alternate===null&&Y===0&&(Y=3),n.flags&=-257,n.flags|=65536,n.lanes=i,r===so?n.flags|=16384:(t=n.updateQueue,t===null?n.updateQueue=new Set([r]):t.add(r),mf(e,r,i)),!1;case 22:return n.flags|=65536,r===so?n.flags|=16384:(t=n.updateQueue,t===null?(t={transitions:null,markerInstances:null,retryQueue:new Set([r])},n.updateQueue=t):(n=t.retryQueue,n===null?t.retryQueue=new Set([r]):n.add(r)),mf(e,r,i)),!1}throw Error(a(435,n.tag))}return mf(e,r,i),Kd(),!1}if(k)return t=Bo.current,t===null?(r!==_a&&(t=Error(a(423),{cause:r}),wa(ea(t,n))),e=e.current.alternate,e.flags|=65536,i&=-i,e.lanes|=i,r=ea(r,n),i=Pc(e.stateNode,r,i),ko(e,i),Y!==4&&(Y=2)):(!(t.flags&65536)&&(t.flags|=256),t.flags|=65536,t.lanes=i,r!==_a&&(e=Error(a(422),{cause:r}),wa(ea(e,n)))),!1;var o=Error(a(520),{cause:r});if(o=ea(o,n),fd===null?fd=[o]:fd.push(o),Y!==4&&(Y=2),t===null)return!0;r=ea(r,n),n=t;do{switch(n.tag){case 3:return n.flags|=65536,e=i&-i,n.lanes|=e,e=Pc(n.stateNode,r,e),ko(n,e),!1;case 1:if(t=n.type,o=n.stateNode,!(n.flags&128)&&(typeof t.getDerivedStateFromError==`function`||o!==null&&typeof o.componentDidCatch==`function`&&(yd===null||!yd.has(o))))return n.flags|=65536,i&=-i,n.lanes|=i,i=Fc(i),Ic(i,e,n,r),ko(n,i),!1;break;case 22:if(n.memoizedState!==null)return n.flags|=65536,!1}n=n.return}while(n!==null);return!1}var Rc=Error(a(461)),R=!1;function zc(e,t,n,r){t.child=e===null?So(t,null,n,r):xo(t,e.child,n,r)}function Bc(e,t,n,r,i){n=n.render;var a=t.ref;if(`ref`in r){var o={};for(var s in r)s!==`ref`&&(o[s]=r[s])}else o=r;return Pa(t),r=os(e,t,n,o,a,i),s=us(),e!==null&&!R?(ds(e,t,i),ml(e,t,i)):(k&&s&&fa(t),t.flags|=1,zc(e,t,r,i),t.child)}function Vc(e,t,n,r,i){if(e===null){var a=n.type;return typeof a==`function`&&!Gi(a)&&a.defaultProps===void 0&&n.compare===null?(t.tag=15,t.type=a,Hc(e,t,a,r,i)):(e=Ji(n.type,null,r,t,t.mode,i),e.ref=t.ref,e.return=t,t.child=e)}if(a=e.child,!hl(e,i)){var o=a.memoizedProps;if(n=n.compare,n=n===null?ei:n,n(o,r)&&e.ref===t.ref)return ml(e,t,i)}return t.flags|=1,e=Ki(a,r),e.ref=t.ref,e.return=t,t.child=e}function Hc(e,t,n,r,i){if(e!==null){var a=e.memoizedProps;if(ei(a,r)&&e.ref===t.ref){if(R=!1,t.pendingProps=r=a,hl(e,i))e.flags&131072&&(R=!0);else return t.lanes=e.lanes,ml(e,t,i)}}return Xc(e,t,n,r,i)}function Uc(e,t,n,r){var i=r.children,a=e===null?null:e.memoizedState;if(e===null&&t.stateNode===null&&(t.stateNode={_visibility:1,_pendingMarkers:null,_retryCache:null,_transitions:null}),r.mode===`hidden`){if(t.flags&128){if(a=a===null?n:a.baseLanes|n,e!==null){for(r=t.child=e.child,i=0;r!==null;)i=i|r.lanes|r.childLanes,r=r.sibling;r=i&~a}else r=0,t.child=null;return Gc(e,t,a,n,r)}if(n&536870912)t.memoizedState={baseLanes:0,cachePool:null},e!==null&&no(t,a===null?null:a.cachePool),a===null?Ro():Lo(t,a),Wo(t);else return r=t.lanes=536870912,Gc(e,t,a===null?n:a.baseLanes|n,n,r)}else a===null?(e!==null&&no(t,null),Ro(),Go()):(no(t,a.cachePool),Lo(t,a),Go(),t.memoizedState=null);return zc(e,t,i,n),t.child}function Wc(e,t){return e!==null&&e.tag===22||t.stateNode!==null||(t.stateNode={_visibility:1,_pendingMarkers:null,_retryCache:null,_transitions:null}),t.sibling}function Gc(e,t,n,r,i){var a=to();return a=a===null?null:{parent:j._currentValue,pool:a},t.memoizedState={baseLanes:n,cachePool:a},e!==null&&no(t,null),Ro(),Wo(t),e!==null&&Ma(e,t,r,!0),t.childLanes=i,null}function Kc(e,t){return t=al({mode:t.mode,children:t.children},e.mode),t.ref=e.ref,e.child=t,t.return=e,t}function qc(e,t,n){return xo(t,e.child,null,n),e=Kc(t,t.pendingProps),e.flags|=2,Ko(t),t.memoizedState=null,e}function Jc(e,t,n){var r=t.pendingProps,i=!!(t.flags&128);if(t.flags&=-129,e===null){if(k){if(r.mode===`hidden`)return e=Kc(t,r),t.lanes=536870912,e.memoizedState={baseLanes:0,cachePool:null},Wc(null,e);if(Uo(t),(e=O)?(e=am(e,ga),e=e!==null&&e.data===`&`?e:null,e!==null&&(t.memoizedState={dehydrated:e,treeContext:sa===null?null:{id:ca,overflow:la},retryLane:536870912,hydrationErrors:null},n=Zi(e),n.return=t,t.child=n,ha=t,O=null)):e=null,e===null)throw va(t);return t.lanes=536870912,null}return Kc(t,r)}var o=e.memoizedState;if(o!==null){var s=o.dehydrated;if(Uo(t),i){if(t.flags&256)t.flags&=-257,t=qc(e,t,n);else if(t.memoizedState!==null)t.child=e.child,t.flags|=128,t=null;else throw Error(a(558))}else if(R||Ma(e,t,n,!1),i=(n&e.childLanes)!==0,R||i){if(Fo.current===null){if(r=G,r!==null&&(s=kt(r,n),s!==0&&s!==o.retryLane))throw o.retryLane=s,zi(e,s),Pd(r,e,s),Rc;Kd()}t=qc(e,t,n)}else e=o.treeContext,O=lm(s.nextSibling),ha=t,k=!0,A=null,ga=!1,e!==null&&ma(t,e),t=Kc(t,r),t.flags|=134221824;return t}return e=Ki(e.child,{mode:r.mode,children:r.children}),e.ref=t.ref,t.child=e,e.return=t,e}function Yc(e,t){var n=t.ref;if(n===null)e!==null&&e.ref!==null&&(t.flags|=4194816);else{if(typeof n!=`function`&&typeof n!=`object`)throw Error(a(284));(e===null||e.ref!==n)&&(t.flags|=4194816)}}function Xc(e,t,n,r,i){return Pa(t),n=os(e,t,n,r,void 0,i),r=us(),e!==null&&!R?(ds(e,t,i),ml(e,t,i)):(k&&r&&fa(t),t.flags|=1,zc(e,t,n,i),t.child)}function Zc(e,t,n,r,i,a){return Pa(t),t.updateQueue=null,n=cs(t,r,n,i),ss(e),r=us(),e!==null&&!R?(ds(e,t,a),ml(e,t,a)):(k&&r&&fa(t),t.flags|=1,zc(e,t,n,a),t.child)}function Qc(e,t,n,r,i){if(Pa(t),t.stateNode===null){var a=Hi,o=n.contextType;typeof o==`object`&&o&&(a=Fa(o)),a=new n(r,a),t.memoizedState=a.state!==null&&a.state!==void 0?a.state:null,a.updater=Tc,t.stateNode=a,a._reactInternals=t,a=t.stateNode,a.props=r,a.state=t.memoizedState,a.refs={},wo(t),o=n.contextType,a.context=typeof o==`object`&&o?Fa(o):Hi,a.state=t.memoizedState,o=n.getDerivedStateFromProps,typeof o==`function`&&(wc(t,n,o,r),a.state=t.memoizedState),typeof n.getDerivedStateFromProps==`function`||typeof a.getSnapshotBeforeUpdate==`function`||typeof a.UNSAFE_componentWillMount!=`function`&&typeof a.componentWillMount!=`function`||(o=a.state,typeof a.componentWillMount==`function`&&a.componentWillMount(),typeof a.UNSAFE_componentWillMount==`function`&&a.UNSAFE_componentWillMount(),o!==a.state&&Tc.enqueueReplaceState(a,a.state,null),Mo(t,r,a,i),jo(),a.state=t.memoizedState),typeof a.componentDidMount==`function`&&(t.flags|=4194308),r=!0}else if(e===null){a=t.stateNode;var s=t.memoizedProps,c=Oc(n,s);a.props=c;var l=a.context,u=n.contextType;o=Hi,typeof u==`object`&&u&&(o=Fa(u));var d=n.getDerivedStateFromProps;u=typeof d==`function`||typeof a.getSnapshotBeforeUpdate==`function`,s=t.pendingProps!==s,u||typeof a.UNSAFE_componentWillReceiveProps!=`function`&&typeof a.componentWillReceiveProps!=`function`||(s||l!==o)&&Dc(t,a,r,o),Co=!1;var f=t.memoizedState;a.state=f,Mo(t,r,a,i),jo(),l=t.memoizedState,s||f!==l||Co?(typeof d==`function`&&(wc(t,n,d,r),l=t.memoizedState),(c=Co||Ec(t,n,c,r,f,l,o))?(u||typeof a.UNSAFE_componentWillMount!=`function`&&typeof a.componentWillMount!=`function`||(typeof a.componentWillMount==`function`&&a.componentWillMount(),typeof a.UNSAFE_componentWillMount==`function`&&a.UNSAFE_componentWillMount()),typeof a.componentDidMount==`function`&&(t.flags|=4194308)):(typeof a.componentDidMount==`function`&&(t.flags|=4194308),t.memoizedProps=r,t.memoizedState=l),a.props=r,a.state=l,a.context=o,r=c):(typeof a.componentDidMount==`function`&&(t.flags|=4194308),r=!1)}else{a=t.stateNode,To(e,t),o=t.memoizedProps,u=Oc(n,o),a.props=u,d=t.pendingProps,f=a.context,l=n.contextType,c=Hi,typeof l==`object`&&l&&(c=Fa(l)),s=n.getDerivedStateFromProps,(l=typeof s==`function`||typeof a.getSnapshotBeforeUpdate==`function`)||typeof a.UNSAFE_componentWillReceiveProps!=`function`&&typeof a.componentWillReceiveProps!=`function`||(o!==d||f!==c)&&Dc(t,a,r,c),Co=!1,f=t.memoizedState,a.state=f,Mo(t,r,a,i),jo();var p=t.memoizedState;o!==d||f!==p||Co||e!==null&&e.dependencies!==null&&Na(e.dependencies)?(typeof s==`function`&&(wc(t,n,s,r),p=t.memoizedState),(u=Co||Ec(t,n,u,r,f,p,c)||e!==null&&e.dependencies!==null&&Na(e.dependencies))?(l||typeof a.UNSAFE_componentWillUpdate!=`function`&&typeof a.componentWillUpdate!=`function`||(typeof a.componentWillUpdate==`function`&&a.componentWillUpdate(r,p,c),typeof a.UNSAFE_componentWillUpdate==`function`&&a.UNSAFE_componentWillUpdate(r,p,c)),typeof a.componentDidUpdate==`function`&&(t.flags|=4),typeof a.getSnapshotBeforeUpdate==`function`&&(t.flags|=1024)):(typeof a.componentDidUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=4),typeof a.getSnapshotBeforeUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=1024),t.memoizedProps=r,t.memoizedState=p),a.props=r,a.state=p,a.context=c,r=u):(typeof a.componentDidUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=4),typeof a.getSnapshotBeforeUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=1024),r=!1)}return a=r,Yc(e,t),r=!!(t.flags&128),a||r?(a=t.stateNode,n=r&&typeof n.getDerivedStateFromError!=`function`?null:a.render(),t.flags|=1,e!==null&&r?(t.child=xo(t,e.child,null,i),t.child=xo(t,null,n,i)):zc(e,t,n,i),t.memoizedState=a.state,e=t.child):e=ml(e,t,i),e}function $c(e,t,n,r){return Sa(),t.flags|=256,zc(e,t,n,r),t.child}var el={dehydrated:null,treeContext:null,retryLane:0,hydrationErrors:null};function tl(e){return{baseLanes:e,cachePool:ro()}}function nl(e,t,n){return e=e===null?0:e.childLanes&~n,t&&(e|=ud),e}function rl(e,t,n){var r=t.pendingProps,i=!1,a=!!(t.flags&128),o;if((o=a)||(o=e!==null&&e.memoizedState===null?!1:!!(qo.current&2)),o&&(i=!0,t.flags&=-129),o=!!(t.flags&32),t.flags&=-33,e===null){if(k){if(i?Ho(t):Go(),(e=O)?(e=am(e,ga),e=e!==null&&e.data!==`&`?e:null,e!==null&&(t.memoizedState={dehydrated:e,treeContext:sa===null?null:{id:ca,overflow:la},retryLane:536870912,hydrationErrors:null},n=Zi(e),n.return=t,t.child=n,ha=t,O=null)):e=null,e===null)throw va(t);return t.lanes=sm(e)?32:536870912,null}return a=r.children,r=r.fallback,i?(Go(),i=t.mode,a=al({mode:`hidden`,children:a},i),r=Yi(r,i,n,null),a.return=t,r.return=t,a.sibling=r,t.child=a,r=t.child,r.memoizedState=tl(n),r.childLanes=nl(e,o,n),t.memoizedState=el,Wc(null,r)):(Ho(t),il(t,a))}var s=e.memoizedState;if(s!==null){var c=s.dehydrated;if(c!==null)return sl(e,t,a,o,r,c,s,n)}return i?(Go(),i=r.fallback,a=t.mode,s=e.child,c=s.sibling,r=Ki(s,{mode:`hidden`,children:r.children}),r.subtreeFlags=s.subtreeFlags&1206910976,c===null?(i=Yi(i,a,n,null),i.flags|=2):i=Ki(c,i),i.return=t,r.return=t,r.sibling=i,t.child=r,Wc(null,r),r=t.child,i=e.child.memoizedState,i===null?i=tl(n):(a=i.cachePool,a===null?a=ro():(s=j._currentValue,a=a.parent===s?a:{parent:s,pool:s}),i={baseLanes:i.baseLanes|n,cachePool:a}),r.memoizedState=i,r.childLanes=nl(e,o,n),t.memoizedState=el,Wc(e.child,r)):(Ho(t),n=e.child,e=n.sibling,n=Ki(n,{mode:`visible`,children:r.children}),n.return=t,n.sibling=null,e!==null&&(o=t.deletions,o===null?(t.deletions=[e],t.flags|=16):o.push(e)),t.child=n,t.memoizedState=null,n)}function il(e,t){return t=al({mode:`visible`,children:t},e.mode),t.return=e,e.child=t}function al(e,t){return e=Wi(22,e,null,t),e.lanes=0,e}function ol(e,t,n){return xo(t,e.child,null,n),e=il(t,t.pendingProps.children),e.flags|=2,t.memoizedState=null,e}function sl(e,t,n,r,i,o,s,c){if(n)return t.flags&256?(Ho(t),t.flags&=-257,ol(e,t,c)):t.memoizedState===null?(Go(),o=i.fallback,s=t.mode,i=al({mode:`visible`,children:i.children},s),o=Yi(o,s,c,null),o.flags|=2,i.return=t,o.return=t,i.sibling=o,t.child=i,xo(t,e.child,null,c),i=t.child,i.memoizedState=tl(c),i.childLanes=nl(e,r,c),t.memoizedState=el,Wc(null,i)):(Go(),t.child=e.child,t.flags|=128,null);if(Ho(t),sm(o)){if(r=o.nextSibling&&o.nextSibling.dataset,r)var l=r.dgst;return r=l,r!==``&&(i=Error(a(419)),i.stack=``,i.digest=r,wa({value:i,source:null,stack:null})),ol(e,t,c)}if(R||Ma(e,t,c,!1),r=(c&e.childLanes)!==0,R||r){if(Fo.current!==null)return ol(e,t,c);if(r=G,r!==null&&(i=kt(r,c),i!==0&&i!==s.retryLane))throw s.retryLane=i,zi(e,i),Pd(r,e,i),Rc;return om(o)||Kd(),ol(e,t,c)}return om(o)?(t.flags|=192,t.child=e.child,null):(e=s.treeContext,O=lm(o.nextSibling),ha=t,k=!0,A=null,ga=!1,e!==null&&ma(t,e),t=il(t,i.children),t.flags|=134221824,t)}function cl(e,t,n){e.lanes|=t;var r=e.alternate;r!==null&&(r.lanes|=t),Aa(e.return,t,n)}function ll(e){for(var t=null;e!==null;){var n=e.alternate;n!==null&&Xo(n)===null&&(t=e),e=e.sibling}return t}function ul(e,t,n,r,i,a){var o=e.memoizedState;o===null?e.memoizedState={isBackwards:t,rendering:null,renderingStartTime:0,last:r,tail:n,tailMode:i,treeForkCount:a}:(o.isBackwards=t,o.rendering=null,o.renderingStartTime=0,o.last=r,o.tail=n,o.tailMode=i,o.treeForkCount=a)}function dl(e){var t=e.child;for(e.child=null;t!==null;){var n=t.sibling;t.sibling=e.child,e.child=t,t=n}}function fl(e,t,n){var r=t.pendingProps,i=r.revealOrder,a=r.tail;r=r.children;var o=qo.current;if(t.flags&128)return Jo(t,o),null;var s=!!(o&2);if(s?(o=o&1|2,t.flags|=128):o&=1,Jo(t,o),i===`backwards`&&e!==null?(dl(e),zc(e,t,r,n),dl(e)):zc(e,t,r,n),r=k?ia:0,!s&&e!==null&&e.flags&128)a:for(e=t.child;e!==null;){if(e.tag===13)e.memoizedState!==null&&cl(e,n,t);else if(e.tag===19)cl(e,n,t);else if(e.child!==null){e.child.return=e,e=e.child;continue}if(e===t)break a;for(;e.sibling===null;){if(e.return===null||e.return===t)break a;e=e.return}e.sibling.return=e.return,e=e.sibling}switch(i){case`backwards`:n=ll(t.child),n===null?(i=t.child,t.child=null):(i=n.sibling,n.sibling=null,dl(t)),ul(t,!0,i,null,a,r);break;case`unstable_legacy-backwards`:for(n=null,i=t.child,t.child=null;i!==null;){if(e=i.alternate,e!==null&&Xo(e)===null){t.child=i;break}e=i.sibling,i.sibling=n,n=i,i=e}ul(t,!0,n,null,a,r);break;case`together`:ul(t,!1,null,null,void 0,r);break;case`independent`:t.memoizedState=null;break;default:n=ll(t.child),n===null?(i=t.child,t.child=null):(i=n.sibling,n.sibling=null),ul(t,!1,i,n,a,r)}return t.child}function pl(e,t,n){var r=t.pendingProps;return Oa(t,t.type,r.value),zc(e,t,r.children,n),t.child}function ml(e,t,n){if(e!==null&&(t.dependencies=e.dependencies),sd|=t.lanes,(n&t.childLanes)===0){if(e!==null){if(Ma(e,t,n,!1),(n&t.childLanes)===0)return null}else return null}if(e!==null&&t.child!==e.child)throw Error(a(153));if(t.child!==null){for(e=t.child,n=Ki(e,e.pendingProps),t.child=n,n.return=t;e.sibling!==null;)e=e.sibling,n=n.sibling=Ki(e,e.pendingProps),n.return=t;n.sibling=null}return t.child}function hl(e,t){return(e.lanes&t)!==0||(e=e.dependencies,!!(e!==null&&Na(e)))}function gl(e,t,n){switch(t.tag){case 3:Fe(t,t.stateNode.containerInfo),Oa(t,j,e.memoizedState.cache),Sa();break;case 27:case 5:Le(t);break;case 4:Fe(t,t.stateNode.containerInfo);break;case 10:Oa(t,t.type,t.memoizedProps.value);break;case 31:if(t.memoizedState!==null)return t.flags|=128,Uo(t),null;break;case 13:var r=t.memoizedState;if(r!==null){if(r.dehydrated!==null)return Ho(t),t.flags|=128,null;r=Ma(e,t,n,!1);var i=t.child.childLanes;return r||(n&i)!==0?rl(e,t,n):(Ho(t),e=ml(e,t,n),e===null?null:e.sibling)}Ho(t);break;case 19:if(t.flags&128)return fl(e,t,n);if(i=!!(e.flags&128),r=(n&t.childLanes)!==0,r||=(Ma(e,t,n,!1),(n&t.childLanes)!==0),i){if(r)return fl(e,t,n);t.flags|=128}if(i=t.memoizedState,i!==null&&(i.rendering=null,i.tail=null,i.lastEffect=null),Jo(t,qo.current),r)break;return null;case 22:return t.lanes=0,Uc(e,t,n,t.pendingProps);case 24:Oa(t,j,e.memoizedState.cache)}return ml(e,t,n)}function _l(e,t,n){if(e!==null){if(e.memoizedProps!==t.pendingProps)R=!0;else{if(!hl(e,n)&&!(t.flags&128))return R=!1,gl(e,t,n);R=!!(e.flags&131072)}}else R=!1,k&&t.flags&1048576&&da(t,ia,t.index);switch(t.lanes=0,t.tag){case 16:a:{var r=t.pendingProps;if(e=uo(t.elementType),t.type=e,typeof e==`function`)Gi(e)?(r=Oc(e,r),t.tag=1,t=Qc(null,t,e,r,n)):(t.tag=0,t=Xc(null,t,e,r,n));else{if(e!=null){var i=e.$$typeof;if(i===fe){t.tag=11,t=Bc(null,t,e,r,n);break a}if(i===he){t.tag=14,t=Vc(null,t,e,r,n);break a}if(i===de){t.tag=10,t.type=e,t=pl(null,t,n);break a}}throw t=S(e)||e,Error(a(306,t,``))}}return t;case 0:return Xc(e,t,t.type,t.pendingProps,n);case 1:return r=t.type,i=Oc(r,t.pendingProps),Qc(e,t,r,i,n);case 3:a:{if(Fe(t,t.stateNode.containerInfo),e===null)throw Error(a(387));r=t.pendingProps;var o=t.memoizedState;i=o.element,To(e,t),Mo(t,r,null,n);var s=t.memoizedState;if(r=s.cache,Oa(t,j,r),r!==o.cache&&ja(t,[j],n,!0),jo(),r=s.element,o.isDehydrated){if(o={element:r,isDehydrated:!1,cache:s.cache},t.updateQueue.baseState=o,t.memoizedState=o,t.flags&256){t=$c(e,t,r,n);break a}if(r!==i){i=ea(Error(a(424)),t),wa(i),t=$c(e,t,r,n);break a}switch(e=t.stateNode.containerInfo,e.nodeType){case 9:e=e.body;break;default:e=e.nodeName===`HTML`?e.ownerDocument.body:e}for(O=lm(e.firstChild),ha=t,k=!0,A=null,ga=!0,n=So(t,null,r,n),t.child=n;n;)n.flags=n.flags&-3|134221824,n=n.sibling}else{if(Sa(),r===i){t=ml(e,t,n);break a}zc(e,t,r,n)}t=t.child}return t;case 26:return Yc(e,t),e===null?(n=Nm(t.type,null,t.pendingProps,null))?t.memoizedState=n:k||(t.stateNode=fp(t.type,t.pendingProps,Ne.current,t)):t.memoizedState=Nm(t.type,e.memoizedProps,t.pendingProps,e.memoizedState),null;case 27:return Le(t),e===null&&k&&(r=t.stateNode=hm(t.type,t.pendingProps,Ne.current),ha=t,ga=!0,i=O,Sp(t.type)?(um=i,O=lm(r.firstChild)):O=i),zc(e,t,t.pendingProps.children,n),Yc(e,t),e===null&&(t.flags|=4194304),t.child;case 5:return e===null&&k&&((i=r=O)&&(r=rm(r,t.type,t.pendingProps,ga),r===null?i=!1:(t.stateNode=r,ha=t,O=lm(r.firstChild),ga=!1,i=!0)),i||va(t)),Le(t),i=t.type,o=t.pendingProps,s=e===null?null:e.memoizedProps,r=o.children,pp(i,o)?r=null:s!==null&&pp(i,s)&&(t.flags|=32),t.memoizedState!==null&&(i=os(e,t,ls,null,null,n),sh._currentValue=i),Yc(e,t),zc(e,t,r,n),t.child;case 6:return e===null&&k&&((e=n=O)&&(n=im(n,t.pendingProps,ga),n===null?e=!1:(t.stateNode=n,ha=t,O=null,e=!0)),e||va(t)),null;case 13:return rl(e,t,n);case 4:return Fe(t,t.stateNode.containerInfo),r=t.pendingProps,e===null?t.child=xo(t,null,r,n):zc(e,t,r,n),t.child;case 11:return Bc(e,t,t.type,t.pendingProps,n);case 7:return r=t.pendingProps,Yc(e,t),zc(e,t,r,n),t.child;case 8:return zc(e,t,t.pendingProps.children,n),t.child;case 12:return zc(e,t,t.pendingProps.children,n),t.child;case 10:return pl(e,t,n);case 9:return i=t.type._context,r=t.pendingProps.children,Pa(t),i=Fa(i),r=r(i),t.flags|=1,zc(e,t,r,n),t.child;case 14:return Vc(e,t,t.type,t.pendingProps,n);case 15:return Hc(e,t,t.type,t.pendingProps,n);case 19:return fl(e,t,n);case 31:return Jc(e,t,n);case 22:return Uc(e,t,n,t.pendingProps);case 24:return Pa(t),r=Fa(j),e===null?(i=to(),i===null&&(i=G,o=Va(),i.pooledCache=o,o.refCount++,o!==null&&(i.pooledCacheLanes|=n),i=o),t.memoizedState={parent:r,cache:i},wo(t),Oa(t,j,i)):((e.lanes&n)!==0&&(To(e,t),Mo(t,null,null,n),jo()),i=e.memoizedState,o=t.memoizedState,i.parent===r?(r=o.cache,Oa(t,j,r),r!==i.cache&&ja(t,[j],n,!0)):(i={parent:r,cache:r},t.memoizedState=i,t.lanes===0&&(t.memoizedState=t.updateQueue.baseState=i),Oa(t,j,r))),zc(e,t,t.pendingProps.children,n),t.child;case 30:return t.stateNode===null&&(t.stateNode={autoName:null,paired:null,clones:null,ref:null}),r=t.pendingProps,r.name!=null&&r.name!==`auto`?t.flags|=e===null?18882560:18874368:k&&fa(t),e!==null&&e.memoizedProps.name!==r.name?t.flags|=4194816:Yc(e,t),zc(e,t,r.children,n),t.child;case 29:throw t.pendingProps}throw Error(a(156,t.tag))}function vl(e){e.flags|=4}function yl(e,t,n,r,i){var a;if((a=!!(e.mode&32))&&(a=n===null?Jm(t,r):Jm(t,r)&&(r.src!==n.src||r.srcSet!==n.srcSet)),a){if(e.flags|=16777216,(i&335544128)===i){if(e.stateNode.complete)e.flags|=8192;else if(Ud())e.flags|=8192;else throw fo=so,ao}}else e.flags&=-16777217}function bl(e,t){if(t.type!==`stylesheet`||t.state.loading&4)e.flags&=-16777217;else if(e.flags|=16777216,!Ym(t)){if(Ud())e.flags|=8192;else throw fo=so,ao}}function xl(e,t){t!==null&&(e.flags|=4),e.flags&16384&&(t=e.tag===22?536870912:Ct(),e.lanes|=t,dd|=t)}function Sl(e,t){if(!k)switch(e.tailMode){case`visible`:break;case`collapsed`:for(var n=e.tail,r=null;n!==null;)n.alternate!==null&&(r=n),n=n.sibling;r===null?t||e.tail===null?e.tail=null:e.tail.sibling=null:r.sibling=null;break;default:for(t=e.tail,n=null;t!==null;)t.alternate!==null&&(n=t),t=t.sibling;n===null?e.tail=null:n.sibling=null}}function z(e){var t=e.alternate!==null&&e.alternate.child===e.child,n=0,r=0;if(t)for(var i=e.child;i!==null;)n|=i.lanes|i.childLanes,r|=i.subtreeFlags&1206910976,r|=i.flags&1206910976,i.return=e,i=i.sibling;else for(i=e.child;i!==null;)n|=i.lanes|i.childLanes,r|=i.subtreeFlags,r|=i.flags,i.return=e,i=i.sibling;return e.subtreeFlags|=r,e.childLanes=n,t}function Cl(e,t,n){var r=t.pendingProps;switch(pa(t),t.tag){case 16:case 15:case 0:case 11:case 7:case 8:case 12:case 9:case 14:return z(t),null;case 1:return z(t),null;case 3:return n=t.stateNode,r=null,e!==null&&(r=e.memoizedState.cache),t.memoizedState.cache!==r&&(t.flags|=2048),ka(j),Ie(),n.pendingContext&&(n.context=n.pendingContext,n.pendingContext=null),(e===null||e.child===null)&&(xa(t)?vl(t):e===null||e.memoizedState.isDehydrated&&!(t.flags&256)||(t.flags|=1024,Ca())),z(t),null;case 26:var i=t.type,o=t.memoizedState;return e===null?(vl(t),o===null?(z(t),yl(t,i,null,r,n)):(z(t),bl(t,o))):o?o===e.memoizedState?(z(t),t.flags&=-16777217):(vl(t),z(t),bl(t,o)):(e=e.memoizedProps,e!==r&&vl(t),z(t),yl(t,i,e,r,n)),null;case 27:if(Re(t),n=Ne.current,i=t.type,e!==null&&t.stateNode!=null)e.memoizedProps!==r&&vl(t);else{if(!r){if(t.stateNode===null)throw Error(a(166));return z(t),t.subtreeFlags&=-33554433,null}e=je.current,xa(t)?ya(t,e):(e=hm(i,r,n),t.stateNode=e,vl(t))}return z(t),t.subtreeFlags&=-33554433,null;case 5:if(Re(t),i=t.type,e!==null&&t.stateNode!=null)e.memoizedProps!==r&&vl(t);else{if(!r){if(t.stateNode===null)throw Error(a(166));return z(t),t.subtreeFlags&=-33554433,null}if(o=je.current,xa(t))ya(t,o);else{var s=lp(Ne.current);switch(o){case 1:o=s.createElementNS(`http://www.w3.org/2000/svg`,i);break;case 2:o=s.createElementNS(`http://www.w3.org/1998/Math/MathML`,i);break;default:switch(i){case`svg`:o=s.createElementNS(`http://www.w3.org/2000/svg`,i);break;case`math`:o=s.createElementNS(`http://www.w3.org/1998/Math/MathML`,i);break;case`script`:o=s.createElement(`div`),o.innerHTML=`<script><\/script>`,o=o.removeChild(o.firstChild);break;case`select`:o=typeof r.is==`string`?s.createElement(`select`,{is:r.is}):s.createElement(`select`),r.multiple?o.multiple=!0:r.size&&(o.size=r.size);break;default:o=typeof r.is==`string`?s.createElement(i,{is:r.is}):s.createElement(i)}}o[Ft]=t,o[It]=r;a:for(s=t.child;s!==null;){if(s.tag===5||s.tag===6)o.appendChild(s.stateNode);else if(s.tag!==4&&s.tag!==27&&s.child!==null){s.child.return=s,s=s.child;continue}if(s===t)break a;for(;s.sibling===null;){if(s.return===null||s.return===t)break a;s=s.return}s.sibling.return=s.return,s=s.sibling}t.stateNode=o;a:switch(np(o,i,r),i){case`button`:case`input`:case`select`:case`textarea`:r=!!r.autoFocus;break a;case`img`:r=!0;break a;default:r=!1}r&&vl(t)}}return z(t),t.subtreeFlags&=-33554433,yl(t,t.type,e===null?null:e.memoizedProps,t.pendingProps,n),null;case 6:if(e&&t.stateNode!=null)e.memoizedProps!==r&&vl(t);else{if(typeof r!=`string`&&t.stateNode===null)throw Error(a(166));if(e=Ne.current,xa(t)){if(e=t.stateNode,n=t.memoizedProps,r=null,i=ha,i!==null)switch(i.tag){case 27:case 5:r=i.memoizedProps}e[Ft]=t,e=!!(e.nodeValue===n||r!==null&&!0===r.suppressHydrationWarning||ep(e.nodeValue,n)),e||va(t,!0)}else e=lp(e).createTextNode(r),e[Ft]=t,t.stateNode=e}return z(t),null;case 31:if(n=t.memoizedState,e===null||e.memoizedState!==null){if(r=xa(t),n!==null){if(e===null){if(!r)throw Error(a(318));if(e=t.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(a(557));e[Ft]=t}else Sa(),!(t.flags&128)&&(t.memoizedState=null),t.flags|=4;z(t),e=!1}else n=Ca(),e!==null&&e.memoizedState!==null&&(e.memoizedState.hydrationErrors=n),e=!0;if(!e)return t.flags&256?(Ko(t),t):(Ko(t),null);if(t.flags&128)throw Error(a(558))}return z(t),null;case 13:if(r=t.memoizedState,e===null||e.memoizedState!==null&&e.memoizedState.dehydrated!==null){if(i=xa(t),r!==null&&r.dehydrated!==null){if(e===null){if(!i)throw Error(a(318));if(i=t.memoizedState,i=i===null?null:i.dehydrated,!i)throw Error(a(317));i[Ft]=t}else Sa(),!(t.flags&128)&&(t.memoizedState=null),t.flags|=4;z(t),i=!1}else i=Ca(),e!==null&&e.memoizedState!==null&&(e.memoizedState.hydrationErrors=i),i=!0;if(!i)return t.flags&256?(Ko(t),t):(Ko(t),null)}return Ko(t),t.flags&128?(t.lanes=n,t):(n=r!==null,e=e!==null&&e.memoizedState!==null,n&&(r=t.child,i=null,r.alternate!==null&&r.alternate.memoizedState!==null&&r.alternate.memoizedState.cachePool!==null&&(i=r.alternate.memoizedState.cachePool.pool),o=null,r.memoizedState!==null&&r.memoizedState.cachePool!==null&&(o=r.memoizedState.cachePool.pool),o!==i&&(r.flags|=2048)),n!==e&&n&&(t.child.flags|=8192),xl(t,t.updateQueue),z(t),null);case 4:return Ie(),e===null&&Wf(t.stateNode.containerInfo),t.flags|=67108864,z(t),null;case 10:return ka(t.type),z(t),null;case 19:if(Yo(t),r=t.memoizedState,r===null)return z(t),null;if(i=!!(t.flags&128),o=r.rendering,o===null){if(i)Sl(r,!1);else{if(Y!==0||e!==null&&e.flags&128)for(e=t.child;e!==null;){if(o=Xo(e),o!==null){for(t.flags|=128,Sl(r,!1),e=o.updateQueue,t.updateQueue=e,xl(t,e),t.subtreeFlags=0,e=n,n=t.child;n!==null;)qi(n,e),n=n.sibling;return Jo(t,qo.current&1|2),k&&ua(t,r.treeForkCount),t.child}e=e.sibling}r.tail!==null&&Ze()>_d&&(t.flags|=128,i=!0,Sl(r,!1),t.lanes=4194304)}}else{if(!i){if(e=Xo(o),e!==null){if(t.flags|=128,i=!0,e=e.updateQueue,t.updateQueue=e,xl(t,e),Sl(r,!0),r.tail===null&&r.tailMode!==`collapsed`&&r.tailMode!==`visible`&&!o.alternate&&!k)return z(t),null}else 2*Ze()-r.renderingStartTime>_d&&n!==536870912&&(t.flags|=128,i=!0,Sl(r,!1),t.lanes=4194304)}r.isBackwards?(o.sibling=t.child,t.child=o):(e=r.last,e===null?t.child=o:e.sibling=o,r.last=o)}if(r.tail!==null){e=r.tail;a:{for(n=e;n!==null;){if(n.alternate!==null){n=!1;break a}n=n.sibling}n=!0}return r.rendering=e,r.tail=e.sibling,r.renderingStartTime=Ze(),e.sibling=null,o=qo.current,o=i?o&1|2:o&1,r.tailMode===`visible`||r.tailMode===`collapsed`||!n||k?Jo(t,o):(n=o,T(Bo,t),T(qo,n),Vo===null&&(Vo=t)),k&&ua(t,r.treeForkCount),e}return z(t),null;case 22:case 23:return Ko(t),zo(),r=t.memoizedState!==null,e===null?r&&(t.flags|=8192):e.memoizedState!==null!==r&&(t.flags|=8192),r?n&536870912&&!(t.flags&128)&&(z(t),t.subtreeFlags&6&&(t.flags|=8192)):z(t),n=t.updateQueue,n!==null&&xl(t,n.retryQueue),n=null,e!==null&&e.memoizedState!==null&&e.memoizedState.cachePool!==null&&(n=e.memoizedState.cachePool.pool),r=null,t.memoizedState!==null&&t.memoizedState.cachePool!==null&&(r=t.memoizedState.cachePool.pool),r!==n&&(t.flags|=2048),e!==null&&Ae(eo),null;case 24:return n=null,e!==null&&(n=e.memoizedState.cache),t.memoizedState.cache!==n&&(t.flags|=2048),ka(j),z(t),null;case 25:return null;case 30:return t.flags|=33554432,z(t),null}throw Error(a(156,t.tag))}function wl(e,t){switch(pa(t),t.tag){case 1:return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 3:return ka(j),Ie(),e=t.flags,e&65536&&!(e&128)?(t.flags=e&-65537|128,t):null;case 26:case 27:case 5:return Re(t),null;case 31:if(t.memoizedState!==null){if(Ko(t),t.alternate===null)throw Error(a(340));Sa()}return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 13:if(Ko(t),e=t.memoizedState,e!==null&&e.dehydrated!==null){if(t.alternate===null)throw Error(a(340));Sa()}return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 19:return Yo(t),e=t.flags,e&65536?(t.flags=e&-65537|128,e=t.memoizedState,e!==null&&(e.rendering=null,e.tail=null),t.flags|=4,t):null;case 4:return Ie(),null;case 10:return ka(t.type),null;case 22:case 23:return Ko(t),zo(),e!==null&&Ae(eo),e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 24:return ka(j),null;case 25:return null;default:return null}}function Tl(e,t){switch(pa(t),t.tag){case 3:ka(j),Ie();break;case 26:case 27:case 5:Re(t);break;case 4:Ie();break;case 31:t.memoizedState!==null&&Ko(t);break;case 13:Ko(t);break;case 19:Yo(t);break;case 10:ka(t.type);break;case 22:case 23:Ko(t),zo(),e!==null&&Ae(eo);break;case 24:ka(j)}}function El(e,t){try{var n=t.updateQueue,r=n===null?null:n.lastEffect;if(r!==null){var i=r.next;n=i;do{if((n.tag&e)===e){r=void 0;var a=n.create,o=n.inst;r=a(),o.destroy=r}n=n.next}while(n!==i)}}catch(e){Z(t,t.return,e)}}function Dl(e,t,n){try{var r=t.updateQueue,i=r===null?null:r.lastEffect;if(i!==null){var a=i.next;r=a;do{if((r.tag&e)===e){var o=r.inst,s=o.destroy;if(s!==void 0){o.destroy=void 0,i=t;var c=n,l=s;try{l()}catch(e){Z(i,c,e)}}}r=r.next}while(r!==a)}}catch(e){Z(t,t.return,e)}}function Ol(e){var t=e.updateQueue;if(t!==null){var n=e.stateNode;try{Po(t,n)}catch(t){Z(e,e.return,t)}}}function kl(e,t,n){n.props=Oc(e.type,e.memoizedProps),n.state=e.memoizedState;try{n.componentWillUnmount()}catch(n){Z(e,t,n)}}function Al(e,t){try{var n=e.ref;if(n!==null){switch(e.tag){case 26:case 27:case 5:var r=e.stateNode;break;case 30:var i=e.stateNode,a=ki(e.memoizedProps,i);(i.ref===null||i.ref.name!==a)&&(i.ref=Pp(a)),r=i.ref;break;case 7:if(e.stateNode===null){var o=new Fp(e);p(e.child,!1,Qp,o,void 0,void 0),e.stateNode=o}r=e.stateNode;break;default:r=e.stateNode}typeof n==`function`?e.refCleanup=n(r):n.current=r}}catch(n){Z(e,t,n)}}function jl(e,t){var n=e.ref,r=e.refCleanup;if(n!==null){if(typeof r==`function`)try{r()}catch(n){Z(e,t,n)}finally{e.refCleanup=null,e=e.alternate,e!=null&&(e.refCleanup=null)}else if(typeof n==`function`)try{n(null)}catch(n){Z(e,t,n)}else n.current=null}}function Ml(e,t){if((e.tag===5||e.tag===27||e.tag===6)&&e.alternate===null&&t!==null)for(var n=0;n<t.length;n++)em(e.stateNode,t[n])}function Nl(e){for(var t=e.return;t!==null&&(B(t)&&em(e.stateNode,t.stateNode),!Fl(t));)t=t.return}function Pl(e){for(var t=e.return;t!==null&&(B(t)&&tm(e.stateNode,t.stateNode),!Fl(t));)t=t.return}function Fl(e){return e.tag===5||e.tag===3||e.tag===27}function B(e){return e&&e.tag===7&&e.stateNode!==null}function Il(e){var t=e.type,n=e.memoizedProps,r=e.stateNode;try{a:switch(t){case`button`:case`input`:case`select`:case`textarea`:n.autoFocus&&r.focus();break a;case`img`:n.src?r.src=n.src:n.srcSet&&(r.srcset=n.srcSet)}}catch(t){Z(e,e.return,t)}}function Ll(e,t,n){try{var r=e.stateNode;ip(r,e.type,n,t),r[It]=t}catch(t){Z(e,e.return,t)}}function Rl(e){return e.tag===5||e.tag===3||e.tag===26||e.tag===27&&Sp(e.type)||e.tag===4}function zl(e){a:for(;;){for(;e.sibling===null;){if(e.return===null||Rl(e.return))return null;e=e.return}for(e.sibling.return=e.return,e=e.sibling;e.tag!==5&&e.tag!==6&&e.tag!==18;){if(e.tag===27&&Sp(e.type)||e.flags&2||e.child===null||e.tag===4)continue a;e.child.return=e,e=e.child}if(!(e.flags&2))return e.stateNode}}function Bl(e,t,n,r){var i=e.tag;if(i===5||i===6)i=e.stateNode,t?(n.nodeType===9?n.body:n.nodeName===`HTML`?n.ownerDocument.body:n).insertBefore(i,t):(t=n.nodeType===9?n.body:n.nodeName===`HTML`?n.ownerDocument.body:n,t.appendChild(i),n=n._reactRootContainer,n!=null||t.onclick!==null||(t.onclick=An)),Ml(e,r),E=!0;else if(i!==4&&(i===27&&(Ml(e,r),r=null,Sp(e.type)&&(n=e.stateNode,t=null)),e=e.child,e!==null))for(Bl(e,t,n,r),e=e.sibling;e!==null;)Bl(e,t,n,r),e=e.sibling}function Vl(e,t,n,r){var i=e.tag;if(i===5||i===6)i=e.stateNode,t?n.insertBefore(i,t):n.appendChild(i),Ml(e,r),E=!0;else if(i!==4&&(i===27&&(Ml(e,r),r=null,Sp(e.type)&&(n=e.stateNode)),e=e.child,e!==null))for(Vl(e,t,n,r),e=e.sibling;e!==null;)Vl(e,t,n,r),e=e.sibling}function Hl(e){var t=e.stateNode,n=e.memoizedProps;try{for(var r=e.type,i=t.attributes;i.length;)t.removeAttributeNode(i[0]);np(t,r,n),t[Ft]=e,t[It]=n}catch(t){Z(e,e.return,t)}}var Ul=!1,Wl=null;function Gl(e){(e.tag===30||e.subtreeFlags&33554432)&&(Ul=!0)}var Kl=null;function ql(){var e=Kl;return Kl=null,e}var Jl=0;function Yl(e,t,n,r,i){return Jl=0,Xl(e.child,t,n,r,i)}function Xl(e,t,n,r,i){for(var a=!1;e!==null;){if(e.tag===5){var o=e.stateNode;if(r!==null){var s=Op(o);r.push(s),s.view&&(a=!0)}else a||Op(o).view&&(a=!0);Ul=!0,Tp(o,Jl===0?t:t+`_`+Jl,n),Jl++}else e.tag===22&&e.memoizedState!==null||e.tag===30&&i||Xl(e.child,t,n,r,i)&&(a=!0);e=e.sibling}return a}function Zl(e,t){for(;e!==null;)e.tag===5?Ep(e.stateNode,e.memoizedProps):e.tag===22&&e.memoizedState!==null||e.tag===30&&t||Zl(e.child,t),e=e.sibling}function Ql(e){if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if((e.tag!==22||e.memoizedState===null)&&(Ql(e),e.tag===30&&e.flags&18874368&&e.stateNode.paired)){var t=e.memoizedProps;if(t.name==null||t.name===`auto`)throw Error(a(544));var n=t.name;t=ji(t.default,t.share),t!==`none`&&(Yl(e,n,t,null,!1)||Zl(e.child,!1))}e=e.sibling}}function $l(e,t){if(e.tag===30){var n=e.stateNode,r=e.memoizedProps,i=ki(r,n),a=ji(r.default,n.paired?r.share:r.enter);a===`none`?Ql(e):Yl(e,i,a,null,!1)?(Ql(e),n.paired||t||Nd(e,r.onEnter)):Zl(e.child,!1)}else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)$l(e,t),e=e.sibling;else Ql(e)}function eu(e){if(Wl!==null&&Wl.size!==0){var t=Wl;if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if(e.tag!==22||e.memoizedState===null){if(e.tag===30&&e.flags&18874368){var n=e.memoizedProps,r=n.name;if(r!=null&&r!==`auto`){var i=t.get(r);if(i!==void 0){var a=ji(n.default,n.share);if(a!==`none`&&(Yl(e,r,a,null,!1)?(a=e.stateNode,i.paired=a,a.paired=i,Nd(e,n.onShare)):Zl(e.child,!1)),t.delete(r),t.size===0)break}}}eu(e)}e=e.sibling}}}function tu(e){if(e.tag===30){var t=e.memoizedProps,n=ki(t,e.stateNode),r=Wl===null?void 0:Wl.get(n),i=ji(t.default,r===void 0?t.exit:t.share);i!==`none`&&(Yl(e,n,i,null,!1)?r===void 0?Nd(e,t.onExit):(i=e.stateNode,r.paired=i,i.paired=r,Wl.delete(n),Nd(e,t.onShare)):Zl(e.child,!1)),Wl!==null&&eu(e)}else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)tu(e),e=e.sibling;else Wl!==null&&eu(e)}function nu(e){for(e=e.child;e!==null;){if(e.tag===30){var t=e.memoizedProps,n=ki(t,e.stateNode);t=ji(t.default,t.update),e.flags&=-5,t!==`none`&&Yl(e,n,t,e.memoizedState=[],!1)}else e.subtreeFlags&33554432&&nu(e);e=e.sibling}}function ru(e){if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if(e.tag!==22||e.memoizedState===null){if(e.tag===30&&e.flags&18874368){var t=e.stateNode;t.paired!==null&&(t.paired=null,Zl(e.child,!1))}ru(e)}e=e.sibling}}function iu(e){if(e.tag===30)e.stateNode.paired=null,Zl(e.child,!1),ru(e);else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)iu(e),e=e.sibling;else ru(e)}function au(e){for(e=e.child;e!==null;)e.tag===30?Zl(e.child,!1):e.subtreeFlags&33554432&&au(e),e=e.sibling}function ou(e,t,n,r,i,a,o){for(var s=!1;t!==null;){if(t.tag===5){var c=t.stateNode;if(a!==null&&Jl<a.length){var l=a[Jl],u=Op(c);(l.view||u.view)&&(s=!0);var d;if(d=!(e.flags&4)){if(u.clip)d=!0;else{d=l.rect;var f=u.rect;d=d.y!==f.y||d.x!==f.x||d.height!==f.height||d.width!==f.width}}d&&(e.flags|=4),u.abs?u=!l.abs:(l=l.rect,u=u.rect,u=l.height!==u.height||l.width!==u.width),u&&(e.flags|=32)}else e.flags|=32;e.flags&4&&Tp(c,Jl===0?n:n+`_`+Jl,i),s&&e.flags&4||(Kl===null&&(Kl=[]),Kl.push(c,Jl===0?r:r+`_`+Jl,t.memoizedProps)),Jl++}else(t.tag!==22||t.memoizedState===null)&&(t.tag===30&&o?e.flags|=t.flags&32:ou(e,t.child,n,r,i,a,o)&&(s=!0));t=t.sibling}return s}function su(e,t){for(e=e.child;e!==null;){if(e.tag===30){var n=e.memoizedProps,r=e.stateNode,i=ki(n,r),a=ji(n.default,n.update);if(t){r=r.clones;var o=r===null?null:r.map(kp)}else o=e.memoizedState,e.memoizedState=null;r=e;var s=e.child;Jl=0,i=ou(r,s,i,i,a,o,!1),e.flags&4&&i&&(t||Nd(e,n.onUpdate))}else e.subtreeFlags&33554432&&su(e,t);e=e.sibling}}var V=!1,H=!1,cu=!1,lu=!1,uu=typeof WeakSet==`function`?WeakSet:Set,du=null,fu=!1,pu=!1,mu=!1,hu=!1;function gu(e,t,n){if(e=e.containerInfo,sp=gh,e=ai(e),oi(e)){if(`selectionStart`in e)var r={start:e.selectionStart,end:e.selectionEnd};else a:{r=(r=e.ownerDocument)&&r.defaultView||window;var i=r.getSelection&&r.getSelection();if(i&&i.rangeCount!==0){r=i.anchorNode;var a=i.anchorOffset,o=i.focusNode;i=i.focusOffset;try{r.nodeType,o.nodeType}catch{r=null;break a}var s=0,c=-1,l=-1,u=0,d=0,f=e,p=null;b:for(;;){for(var m;f!==r||a!==0&&f.nodeType!==3||(c=s+a),f!==o||i!==0&&f.nodeType!==3||(l=s+i),f.nodeType===3&&(s+=f.nodeValue.length),(m=f.firstChild)!==null;)p=f,f=m;for(;;){if(f===e)break b;if(p===r&&++u===a&&(c=s),p===o&&++d===i&&(l=s),(m=f.nextSibling)!==null)break;f=p,p=f.parentNode}f=m}r=c===-1||l===-1?null:{start:c,end:l}}else r=null}r||={start:0,end:0}}else r=null;for(cp={focusedElem:e,selectionRange:r},gh=!1,n=(n&335544064)===n,du=t,t=n?9270:1024;du!==null;){if(e=du,n&&(r=e.deletions,r!==null))for(a=0;a<r.length;a++)n&&tu(r[a]);if(e.alternate===null&&e.flags&2)n&&Gl(e),_u(n);else{if(e.tag===22){if(r=e.alternate,e.memoizedState!==null){r!==null&&r.memoizedState===null&&n&&tu(r),_u(n);continue}if(r!==null&&r.memoizedState!==null){n&&Gl(e),_u(n);continue}}r=e.child,(e.subtreeFlags&t)!==0&&r!==null?(r.return=e,du=r):(n&&nu(e),_u(n))}}Wl=null}function _u(e){for(;du!==null;){var t=du,n=e,r=t.alternate,i=t.flags;switch(t.tag){case 0:case 11:case 15:break;case 1:if(i&1024&&r!==null){n=void 0,i=r.memoizedProps,r=r.memoizedState;var o=t.stateNode;try{var s=Oc(t.type,i);n=o.getSnapshotBeforeUpdate(s,r),o.__reactInternalSnapshotBeforeUpdate=n}catch(e){Z(t,t.return,e)}}break;case 3:if(i&1024){if(r=t.stateNode.containerInfo,n=r.nodeType,n===9)nm(r);else if(n===1)switch(r.nodeName){case`HEAD`:case`HTML`:case`BODY`:nm(r);break;default:r.textContent=``}}break;case 5:case 26:case 27:case 6:case 4:case 17:break;case 30:n&&r!==null&&(n=ki(r.memoizedProps,r.stateNode),i=t.memoizedProps,i=ji(i.default,i.update),i!==`none`&&Yl(r,n,i,r.memoizedState=[],!0));break;default:if(i&1024)throw Error(a(163))}if(r=t.sibling,r!==null){r.return=t.return,du=r;break}du=t.return}}function vu(e,t,n){var r=n.flags;switch(n.tag){case 0:case 11:case 15:Lu(e,n),r&4&&El(5,n);break;case 1:if(Lu(e,n),r&4){if(e=n.stateNode,t===null)try{e.componentDidMount()}catch(e){Z(n,n.return,e)}else{var i=Oc(n.type,t.memoizedProps);t=t.memoizedState;try{e.componentDidUpdate(i,t,e.__reactInternalSnapshotBeforeUpdate)}catch(e){Z(n,n.return,e)}}}r&64&&Ol(n),r&512&&Al(n,n.return);break;case 3:if(Lu(e,n),r&64&&(e=n.updateQueue,e!==null)){if(t=null,n.child!==null)switch(n.child.tag){case 27:case 5:t=n.child.stateNode;break;case 1:t=n.child.stateNode}try{Po(e,t)}catch(e){Z(n,n.return,e)}}break;case 27:t===null&&r&4&&Hl(n);case 26:case 5:Lu(e,n),t===null&&r&4&&Il(n),r&512&&Al(n,n.return);break;case 12:Lu(e,n);break;case 31:Lu(e,n),r&4&&Eu(e,n);break;case 13:Lu(e,n),r&4&&Du(e,n),r&64&&(e=n.memoizedState,e!==null&&(e=e.dehydrated,e!==null&&(n=_f.bind(null,n),cm(e,n))));break;case 22:if(r=n.memoizedState!==null||V,!r){var a=t!==null&&t.memoizedState!==null||H;t=V,i=H,V=r,(H=a)&&!i?(r=2,n.subtreeFlags&8772&&(r|=1),zu(e,n,r)):Lu(e,n),V=t,H=i}break;case 30:Lu(e,n),r&512&&Al(n,n.return);break;case 7:r&512&&Al(n,n.return);default:Lu(e,n)}}function yu(e,t){for(e=e.child;e!==null;)bu(e,t),e=e.sibling}function bu(e,t){switch(e.tag){case 5:case 26:try{var n=e.stateNode;if(t){var r=n.style;typeof r.setProperty==`function`?r.setProperty(`display`,`none`,`important`):r.display=`none`}else{var i=e.stateNode,a=e.memoizedProps.style,o=a!=null&&a.hasOwnProperty(`display`)?a.display:null;i.style.display=o==null||typeof o==`boolean`?``:(``+o).trim()}}catch(t){Z(e,e.return,t)}xu(e,t);break;case 6:try{e.stateNode.nodeValue=t?``:e.memoizedProps,E=!0}catch(t){Z(e,e.return,t)}break;case 18:try{var s=e.stateNode;t?wp(s,!0):wp(e.stateNode,!1)}catch(t){Z(e,e.return,t)}break;case 22:case 23:e.memoizedState===null&&yu(e,t);break;default:yu(e,t)}}function xu(e,t){if(e.subtreeFlags&67108864)for(e=e.child;e!==null;){a:{var n=e,r=t;switch(n.tag){case 4:bu(n,r);break a;case 22:n.memoizedState===null&&xu(n,r);break a;default:xu(n,r)}}e=e.sibling}}function Su(e){var t=e.alternate;t!==null&&(e.alternate=null,Su(t)),e.child=null,e.deletions=null,e.sibling=null,e.tag===5&&(t=e.stateNode,t!==null&&Wt(t)),e.stateNode=null,e.return=null,e.dependencies=null,e.memoizedProps=null,e.memoizedState=null,e.pendingProps=null,e.stateNode=null,e.updateQueue=null}var U=null,Cu=!1;function wu(e,t,n){for(n=n.child;n!==null;)Tu(e,t,n),n=n.sibling}function Tu(e,t,n){if(st&&typeof st.onCommitFiberUnmount==`function`)try{st.onCommitFiberUnmount(ot,n)}catch{}switch(n.tag){case 26:H||jl(n,t),wu(e,t,n),n.memoizedState?n.memoizedState.count--:n.stateNode&&!H&&(n=n.stateNode,n.parentNode.removeChild(n));break;case 27:H||jl(n,t),Pl(n);var r=U,i=Cu;Sp(n.type)&&(U=n.stateNode,Cu=!1),wu(e,t,n),gm(n.stateNode,n.type,n.memoizedProps),U=r,Cu=i;break;case 5:H||jl(n,t),Pl(n);case 6:if(n.tag===6&&Pl(n),r=U,i=Cu,U=null,wu(e,t,n),U=r,Cu=i,U!==null){if(Cu)try{(U.nodeType===9?U.body:U.nodeName===`HTML`?U.ownerDocument.body:U).removeChild(n.stateNode),E=!0}catch(e){Z(n,t,e)}else try{U.removeChild(n.stateNode),E=!0}catch(e){Z(n,t,e)}}break;case 18:U!==null&&(Cu?(e=U,Cp(e.nodeType===9?e.body:e.nodeName===`HTML`?e.ownerDocument.body:e,n.stateNode),Hh(e)):Cp(U,n.stateNode));break;case 4:r=U,i=Cu,U=n.stateNode.containerInfo,Cu=!0,wu(e,t,n),U=r,Cu=i;break;case 0:case 11:case 14:case 15:Dl(2,n,t),H||Dl(4,n,t),wu(e,t,n);break;case 1:H||(jl(n,t),r=n.stateNode,typeof r.componentWillUnmount==`function`&&kl(n,t,r)),wu(e,t,n);break;case 21:wu(e,t,n);break;case 22:H=(r=H)||n.memoizedState!==null,wu(e,t,n),H=r;break;case 30:jl(n,t),wu(e,t,n);break;case 7:H||jl(n,t),wu(e,t,n);break;default:wu(e,t,n)}}function Eu(e,t){if(t.memoizedState===null&&(e=t.alternate,e!==null&&(e=e.memoizedState,e!==null))){e=e.dehydrated;try{Hh(e)}catch(e){Z(t,t.return,e)}}}function Du(e,t){if(t.memoizedState===null&&(e=t.alternate,e!==null&&(e=e.memoizedState,e!==null&&(e=e.dehydrated,e!==null))))try{Hh(e)}catch(e){Z(t,t.return,e)}}function Ou(e){switch(e.tag){case 31:case 13:case 19:var t=e.stateNode;return t===null&&(t=e.stateNode=new uu),t;case 22:return e=e.stateNode,t=e._retryCache,t===null&&(t=e._retryCache=new uu),t;default:throw Error(a(435,e.tag))}}function ku(e,t){var n=Ou(e);t.forEach(function(t){if(!n.has(t)){n.add(t);var r=vf.bind(null,e,t);t.then(r,r)}})}function Au(e,t,n){var r=t.deletions;if(r!==null)for(var i=0;i<r.length;i++){var o=r[i],s=e,c=t,l=c;a:for(;l!==null;){switch(l.tag){case 27:if(Sp(l.type)){U=l.stateNode,Cu=!1;break a}break;case 5:U=l.stateNode,Cu=!1;break a;case 3:case 4:U=l.stateNode.containerInfo,Cu=!0;break a}l=l.return}if(U===null)throw Error(a(160));Tu(s,c,o),U=null,Cu=!1,s=o.alternate,s!==null&&(s.return=null),o.return=null}if(t.subtreeFlags&13886)for(t=t.child;t!==null;)Mu(t,e,n),t=t.sibling}var ju=null;function Mu(e,t,n){var r=e.alternate,i=e.flags;switch(e.tag){case 0:case 11:case 14:case 15:if(i&4&&(r=e.updateQueue,r=r===null?null:r.events,r!==null))for(var o=0;o<r.length;o++){var s=r[o];s.ref.impl=s.nextImpl}Au(t,e,n),Nu(e),i&4&&(Dl(3,e,e.return),El(3,e),Dl(5,e,e.return));break;case 1:Au(t,e,n),Nu(e),i&512&&(H||r===null||jl(r,r.return)),i&64&&V&&(e=e.updateQueue,e!==null&&(t=e.callbacks,t!==null&&(n=e.shared.hiddenCallbacks,e.shared.hiddenCallbacks=n===null?t:n.concat(t))));break;case 26:if(o=ju,Au(t,e,n),Nu(e),i&512&&(H||r===null||jl(r,r.return)),i&4){if(i=r===null?null:r.memoizedState,n=e.memoizedState,r===null){if(n===null){if(e.stateNode===null){if(V)e.stateNode=fp(e.type,e.memoizedProps,t.containerInfo,e);else{a:{t=e.type,n=e.memoizedProps,i=o.ownerDocument||o;b:switch(t){case`title`:r=i.getElementsByTagName(`title`)[0],(!r||r[Ht]||r[Ft]||r.namespaceURI===`http://www.w3.org/2000/svg`||r.hasAttribute(`itemprop`))&&(r=i.createElement(t),i.head.insertBefore(r,i.querySelector(`head > title`))),np(r,t,n),r[Ft]=e,Yt(r),t=r;break a;case`link`:if(o=Gm(`link`,`href`,i).get(t+(n.href||``))){for(s=0;s<o.length;s++)if(r=o[s],r.getAttribute(`href`)===(n.href==null||n.href===``?null:n.href)&&r.getAttribute(`rel`)===(n.rel==null?null:n.rel)&&r.getAttribute(`title`)===(n.title==null?null:n.title)&&r.getAttribute(`crossorigin`)===(n.crossOrigin==null?null:n.crossOrigin)){o.splice(s,1);break b}}r=i.createElement(t),np(r,t,n),i.head.appendChild(r);break;case`meta`:if(o=Gm(`meta`,`content`,i).get(t+(n.content||``))){for(s=0;s<o.length;s++)if(r=o[s],r.getAttribute(`content`)===(n.content==null?null:``+n.content)&&r.getAttribute(`name`)===(n.name==null?null:n.name)&&r.getAttribute(`property`)===(n.property==null?null:n.property)&&r.getAttribute(`http-equiv`)===(n.httpEquiv==null?null:n.httpEquiv)&&r.getAttribute(`charset`)===(n.charSet==null?null:n.charSet)){o.splice(s,1);break b}}r=i.createElement(t),np(r,t,n),i.head.appendChild(r);break;default:throw Error(a(468,t))}r[Ft]=e,Yt(r),t=r}e.stateNode=t}}else V||Km(o,e.type,e.stateNode)}else e.stateNode=Bm(o,n,e.memoizedProps)}else i===n?n===null&&e.stateNode!==null&&Ll(e,e.memoizedProps,r.memoizedProps):(i===null?(t=r.stateNode,t===null||H||t.parentNode.removeChild(t)):i.count--,n===null?V||Km(o,e.type,e.stateNode):Bm(o,n,e.memoizedProps))}break;case 27:Au(t,e,n),Nu(e),i&512&&(H||r===null||jl(r,r.return)),r!==null&&i&4&&Ll(e,e.memoizedProps,r.memoizedProps);break;case 5:if(o=cu,cu=!1,Au(t,e,n),cu=o,Nu(e),i&512&&(H||r===null||jl(r,r.return)),e.flags&32){t=e.stateNode;try{Sn(t,``),E=!0}catch(t){Z(e,e.return,t)}}i&4&&e.stateNode!=null&&(t=e.memoizedProps,Ll(e,t,r===null?t:r.memoizedProps)),i&1024&&(lu=!0);break;case 6:if(Au(t,e,n),Nu(e),i&4){if(e.stateNode===null)throw Error(a(162));t=e.memoizedProps,n=e.stateNode;try{n.nodeValue=t,E=!0}catch(t){Z(e,e.return,t)}}break;case 3:if(E=!1,Wm=null,o=ju,ju=bm(t.containerInfo),Au(t,e,n),ju=o,Nu(e),i&4&&r!==null&&r.memoizedState.isDehydrated)try{Hh(t.containerInfo)}catch(t){Z(e,e.return,t)}lu&&(lu=!1,Pu(e)),E=!1;break;case 4:i=cu,cu=V,r=on(),o=ju,ju=bm(e.stateNode.containerInfo),Au(t,e,n),Nu(e),ju=o,E&&pu&&(mu=!0),E=r,cu=i;break;case 12:Au(t,e,n),Nu(e);break;case 31:Au(t,e,n),Nu(e),i&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,ku(e,t)));break;case 13:Au(t,e,n),Nu(e),e.child.flags&8192&&e.memoizedState!==null!=(r!==null&&r.memoizedState!==null)&&(hd=Ze()),i&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,ku(e,t)));break;case 22:o=e.memoizedState!==null,s=r!==null&&r.memoizedState!==null;var c=V,l=H,u=cu;V=c||o,cu=u||o,H=l||s,Au(t,e,n),H=l,cu=u,V=c,Nu(e),i&8192&&(t=e.stateNode,t._visibility=o?t._visibility&-2:t._visibility|1,!o||r===null||s||V||H||(t=s||H,n=V,r=H,V=o||V,H=t,Ru(e,2),V=n,H=r),!o&&cu||yu(e,o)),i&4&&(t=e.updateQueue,t!==null&&(n=t.retryQueue,n!==null&&(t.retryQueue=null,ku(e,n))));break;case 19:Au(t,e,n),Nu(e),i&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,ku(e,t)));break;case 30:i&512&&(H||r===null||jl(r,r.return)),i=on(),o=pu,s=(n&335544064)===n,c=e.memoizedProps,pu=s&&ji(c.default,c.update)!==`none`,Au(t,e,n),Nu(e),s&&r!==null&&E&&(e.flags|=4),pu=o,E=i;break;case 21:break;case 7:i&512&&(H||r===null||jl(r,r.return)),r&&r.stateNode!==null&&(r.stateNode._fragmentFiber=e);default:Au(t,e,n),Nu(e)}}function Nu(e){var t=e.flags;if(t&2){try{for(var n,r=e.return;r!==null;){if(Rl(r)){n=r;break}r=r.return}r=null;for(var i=e.return;i!==null;){if(B(i)){var o=i.stateNode;r===null?r=[o]:r.push(o)}if(Fl(i))break;i=i.return}var s=r;if(n==null)throw Error(a(160));switch(n.tag){case 27:var c=n.stateNode;Vl(e,zl(e),c,s);break;case 5:var l=n.stateNode;n.flags&32&&(Sn(l,``),n.flags&=-33),Vl(e,zl(e),l,s);break;case 3:case 4:var u=n.stateNode.containerInfo;Bl(e,zl(e),u,s);break;default:throw Error(a(161))}}catch(t){Z(e,e.return,t)}e.flags&=-3}t&4096&&(e.flags&=-4097)}function Pu(e){if(e.subtreeFlags&1024)for(e=e.child;e!==null;){var t=e;Pu(t),t.tag===5&&t.flags&1024&&(t=t.stateNode,gh=!0,t.reset(),gh=!1),e=e.sibling}}function Fu(e,t){if(t.subtreeFlags&9270)for(t=t.child;t!==null;)Iu(t,e),t=t.sibling;else su(t,!1)}function Iu(e,t){var n=e.alternate;if(n===null)$l(e,!1);else switch(e.tag){case 3:if(hu=fu=!1,ql(),Fu(t,e),!fu&&!mu){if(e=Kl,e!==null)for(var r=0;r<e.length;r+=3){n=e[r];var i=e[r+1];Ep(n,e[r+2]),n=n.ownerDocument.documentElement,n!==null&&n.animate({opacity:[0,0],pointerEvents:[`none`,`none`]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition-group(`+i+`)`})}e=t.containerInfo,e=e.nodeType===9?e.documentElement:e.ownerDocument.documentElement,e!==null&&e.style.viewTransitionName===``&&(e.style.viewTransitionName=`none`,e.animate({opacity:[0,0],pointerEvents:[`none`,`none`]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition-group(root)`}),e.animate({width:[0,0],height:[0,0]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition`})),hu=!0}Kl=null;break;case 5:Fu(t,e);break;case 4:r=fu,fu=!1,Fu(t,e),fu&&(mu=!0),fu=r;break;case 22:e.memoizedState===null&&(n.memoizedState===null?Fu(t,e):$l(e,!1));break;case 30:r=fu,i=ql(),fu=!1,Fu(t,e),fu&&(e.flags|=4);var a=e.memoizedProps,o=e.stateNode;t=ki(a,o),o=ki(n.memoizedProps,o);var s=ji(a.default,a.update);s===`none`?t=!1:(a=n.memoizedState,n.memoizedState=null,n=e.child,Jl=0,t=ou(e,n,t,o,s,a,!0),Jl!==(a===null?0:a.length)&&(e.flags|=32)),e.flags&4&&t?(Nd(e,e.memoizedProps.onUpdate),Kl=i):i!==null&&(i.push.apply(i,Kl),Kl=i),fu=e.flags&32?!0:r;break;default:Fu(t,e)}}function Lu(e,t){if(t.subtreeFlags&8772)for(t=t.child;t!==null;)vu(e,t.alternate,t),t=t.sibling}function Ru(e,t){for(e=e.child;e!==null;){var n=e,r=t;switch(n.tag){case 0:case 11:case 14:case 15:Dl(4,n,n.return),Ru(n,r);break;case 1:jl(n,n.return);var i=n.stateNode;typeof i.componentWillUnmount==`function`&&kl(n,n.return,i),Ru(n,r);break;case 27:r&2&&gm(n.stateNode,n.type,n.memoizedProps);case 5:jl(n,n.return),n.tag!==5&&n.tag!==27||Pl(n),Ru(n,r);break;case 6:Pl(n);break;case 26:jl(n,n.return),i=n.stateNode,n.memoizedState!==null||i===null||H||i.parentNode.removeChild(i),Ru(n,r);break;case 22:n.memoizedState===null&&Ru(n,r);break;case 30:jl(n,n.return),Ru(n,r);break;case 7:jl(n,n.return);default:Ru(n,r)}e=e.sibling}}function zu(e,t,n){for(n=t.subtreeFlags&8772?n:n&-2,t=t.child;t!==null;){var r=t.alternate,i=e,a=t,o=a.flags,s=!!(n&1);switch(a.tag){case 0:case 11:case 15:zu(i,a,n),El(4,a);break;case 1:if(zu(i,a,n),r=a,i=r.stateNode,typeof i.componentDidMount==`function`)try{i.componentDidMount()}catch(e){Z(r,r.return,e)}if(r=a,i=r.updateQueue,i!==null){var c=r.stateNode;try{var l=i.shared.hiddenCallbacks;if(l!==null)for(i.shared.hiddenCallbacks=null,i=0;i<l.length;i++)No(l[i],c)}catch(e){Z(r,r.return,e)}}s&&o&64&&Ol(a),Al(a,a.return);break;case 27:n&2&&Hl(a);case 5:a.tag!==5&&a.tag!==27||Nl(a),zu(i,a,n),s&&r===null&&o&4&&Il(a),Al(a,a.return);break;case 6:Nl(a);break;case 26:c=a.stateNode,a.memoizedState!==null||c===null||V||Km(bm(c.ownerDocument),a.type,c),zu(i,a,n),s&&r===null&&o&4&&Il(a),Al(a,a.return);break;case 12:zu(i,a,n);break;case 31:zu(i,a,n),s&&o&4&&Eu(i,a);break;case 13:zu(i,a,n),s&&o&4&&Du(i,a);break;case 22:a.memoizedState===null&&zu(i,a,n),Al(a,a.return);break;case 30:zu(i,a,n),Al(a,a.return);break;case 7:Al(a,a.return);default:zu(i,a,n)}t=t.sibling}}function Bu(e,t){var n=null;e!==null&&e.memoizedState!==null&&e.memoizedState.cachePool!==null&&(n=e.memoizedState.cachePool.pool),e=null,t.memoizedState!==null&&t.memoizedState.cachePool!==null&&(e=t.memoizedState.cachePool.pool),e!==n&&(e!=null&&e.refCount++,n!=null&&Ha(n))}function Vu(e,t){e=null,t.alternate!==null&&(e=t.alternate.memoizedState.cache),t=t.memoizedState.cache,t!==e&&(t.refCount++,e!=null&&Ha(e))}function Hu(e,t,n,r){var i=(n&335544064)===n;if(t.subtreeFlags&(i?10262:10256))for(t=t.child;t!==null;)Uu(e,t,n,r),t=t.sibling;else i&&au(t)}function Uu(e,t,n,r){var i=(n&335544064)===n;i&&t.alternate===null&&t.return!==null&&t.return.alternate!==null&&iu(t);var a=t.flags;switch(t.tag){case 0:case 11:case 15:Hu(e,t,n,r),a&2048&&El(9,t);break;case 1:Hu(e,t,n,r);break;case 3:Hu(e,t,n,r),i&&hu&&(e=e.containerInfo,e=e.nodeType===9?e.body:e.nodeName===`HTML`?e.ownerDocument.body:e,e.style.viewTransitionName===`root`&&(e.style.viewTransitionName=``),e=e.ownerDocument.documentElement,e!==null&&e.style.viewTransitionName===`none`&&(e.style.viewTransitionName=``)),a&2048&&(a=null,t.alternate!==null&&(a=t.alternate.memoizedState.cache),t=t.memoizedState.cache,t!==a&&(t.refCount++,a!=null&&Ha(a)));break;case 12:if(a&2048){Hu(e,t,n,r),a=t.stateNode;try{var o=t.memoizedProps,s=o.id,c=o.onPostCommit;typeof c==`function`&&c(s,t.alternate===null?`mount`:`update`,a.passiveEffectDuration,-0)}catch(e){Z(t,t.return,e)}}else Hu(e,t,n,r);break;case 31:Hu(e,t,n,r);break;case 13:Hu(e,t,n,r);break;case 23:break;case 22:o=t.stateNode,s=t.alternate,t.memoizedState===null?(i&&s!==null&&s.memoizedState!==null&&iu(t),o._visibility&2?Hu(e,t,n,r):(o._visibility|=2,Wu(e,t,n,r,!!(t.subtreeFlags&10256)||!1))):(i&&s!==null&&s.memoizedState===null&&iu(s),o._visibility&2?Hu(e,t,n,r):Gu(e,t)),a&2048&&Bu(s,t);break;case 24:Hu(e,t,n,r),a&2048&&Vu(t.alternate,t);break;case 30:i&&(a=t.alternate,a!==null&&(Zl(a.child,!0),Zl(t.child,!0))),Hu(e,t,n,r);break;default:Hu(e,t,n,r)}}function Wu(e,t,n,r,i){for(i&&=!!(t.subtreeFlags&10256)||!1,t=t.child;t!==null;){var a=e,o=t,s=n,c=r,l=o.flags;switch(o.tag){case 0:case 11:case 15:Wu(a,o,s,c,i),El(8,o);break;case 23:break;case 22:var u=o.stateNode;o.memoizedState===null?(u._visibility|=2,Wu(a,o,s,c,i)):u._visibility&2?Wu(a,o,s,c,i):Gu(a,o),i&&l&2048&&Bu(o.alternate,o);break;case 24:Wu(a,o,s,c,i),i&&l&2048&&Vu(o.alternate,o);break;default:Wu(a,o,s,c,i)}t=t.sibling}}function Gu(e,t){if(t.subtreeFlags&10256)for(t=t.child;t!==null;){var n=e,r=t,i=r.flags;switch(r.tag){case 22:Gu(n,r),i&2048&&Bu(r.alternate,r);break;case 24:Gu(n,r),i&2048&&Vu(r.alternate,r);break;default:Gu(n,r)}t=t.sibling}}var Ku=8192;function qu(e,t,n){if(e.subtreeFlags&Ku)for(e=e.child;e!==null;)Ju(e,t,n),e=e.sibling}function Ju(e,t,n){switch(e.tag){case 26:qu(e,t,n),e.flags&Ku&&(e.memoizedState===null?(e=e.stateNode,(t&335544128)===t&&Zm(n,e)):Qm(n,ju,e.memoizedState,e.memoizedProps));break;case 5:qu(e,t,n),e.flags&Ku&&(e=e.stateNode,(t&335544128)===t&&Zm(n,e));break;case 3:case 4:var r=ju;ju=bm(e.stateNode.containerInfo),qu(e,t,n),ju=r;break;case 22:e.memoizedState===null&&(r=e.alternate,r!==null&&r.memoizedState!==null?(r=Ku,Ku=16777216,qu(e,t,n),Ku=r):qu(e,t,n));break;case 30:if((e.flags&Ku)!==0&&(r=e.memoizedProps.name,r!=null&&r!==`auto`)){var i=e.stateNode;i.paired=null,Wl===null&&(Wl=new Map),Wl.set(r,i)}qu(e,t,n);break;default:qu(e,t,n)}}function Yu(e){var t=e.alternate;if(t!==null&&(e=t.child,e!==null)){t.child=null;do t=e.sibling,e.sibling=null,e=t;while(e!==null)}}function Xu(e){var t=e.deletions;if(e.flags&16){if(t!==null)for(var n=0;n<t.length;n++){var r=t[n];du=r,$u(r,e)}Yu(e)}if(e.subtreeFlags&10256)for(e=e.child;e!==null;)Zu(e),e=e.sibling}function Zu(e){switch(e.tag){case 0:case 11:case 15:Xu(e),e.flags&2048&&Dl(9,e,e.return);break;case 3:Xu(e);break;case 12:Xu(e);break;case 22:var t=e.stateNode;e.memoizedState!==null&&t._visibility&2&&(e.return===null||e.return.tag!==13)?(t._visibility&=-3,Qu(e)):Xu(e);break;default:Xu(e)}}function Qu(e){var t=e.deletions;if(e.flags&16){if(t!==null)for(var n=0;n<t.length;n++){var r=t[n];du=r,$u(r,e)}Yu(e)}for(e=e.child;e!==null;){switch(t=e,t.tag){case 0:case 11:case 15:Dl(8,t,t.return),Qu(t);break;case 22:n=t.stateNode,n._visibility&2&&(n._visibility&=-3,Qu(t));break;default:Qu(t)}e=e.sibling}}function $u(e,t){for(;du!==null;){var n=du;switch(n.tag){case 0:case 11:case 15:Dl(8,n,t);break;case 23:case 22:if(n.memoizedState!==null&&n.memoizedState.cachePool!==null){var r=n.memoizedState.cachePool.pool;r!=null&&r.refCount++}break;case 24:Ha(n.memoizedState.cache)}if(r=n.child,r!==null)r.return=n,du=r;else a:for(n=e;du!==null;){r=du;var i=r.sibling,a=r.return;if(Su(r),r===n){du=null;break a}if(i!==null){i.return=a,du=i;break a}du=a}}}var ed={getCacheForType:function(e){var t=Fa(j),n=t.data.get(e);return n===void 0&&(n=e(),t.data.set(e,n)),n},cacheSignal:function(){return Fa(j).controller.signal}},td=typeof WeakMap==`function`?WeakMap:Map,W=0,G=null,K=null,q=0,J=0,nd=null,rd=!1,id=!1,ad=!1,od=0,Y=0,sd=0,cd=0,ld=0,ud=0,dd=0,fd=null,pd=null,md=!1,hd=0,gd=0,_d=1/0,vd=null,yd=null,X=0,bd=null,xd=null,Sd=0,Cd=0,wd=null,Td=null,Ed=null,Dd=null,Od=null,kd=0,Ad=null;function jd(){return W&2&&q!==0?q&-q:C.T===null?Mt():Pf()}function Md(){if(ud===0){if(!(q&536870912)||k){var e=mt;mt<<=1,!(mt&3932160)&&(mt=262144),ud=e}else ud=536870912}return e=Bo.current,e!==null&&(e.flags|=32),ud}function Nd(e,t){if(t!=null){var n=e.stateNode,r=n.ref;r===null&&(r=n.ref=Pp(ki(e.memoizedProps,n))),Dd===null&&(Dd=[]),Dd.push(t.bind(null,r))}}function Pd(e,t,n){(e===G&&(J===2||J===9)||e.cancelPendingCommit!==null)&&(Vd(e,0),Rd(e,q,ud,!1)),Tt(e,n),W&2&&e===G||(e===G&&(!(W&2)&&(cd|=n),Y===4&&Rd(e,q,ud,!1)),Ef(e))}function Fd(e,t,n){if(W&6)throw Error(a(327));var r=!n&&!(t&127)&&(t&e.expiredLanes)===0||bt(e,t),i=r?Yd(e,t):qd(e,t,!0),o=r;do{if(i===0){id&&!r&&Rd(e,t,0,!1);break}if(n=e.current.alternate,o&&!Ld(n))i=qd(e,t,!1),o=!1;else{if(i===2){if(o=t,e.errorRecoveryDisabledLanes&o)var s=0;else s=e.pendingLanes&-536870913,s=s===0?s&536870912?536870912:0:s;if(s!==0){t=s;a:{var c=e;i=fd;var l=c.current.memoizedState.isDehydrated;if(l&&(Vd(c,s).flags|=256),s=qd(c,s,!1),s!==2&&s!==6){if(ad&&!l){c.errorRecoveryDisabledLanes|=o,cd|=o,i=4;break a}o=pd,pd=i,o!==null&&(pd===null?pd=o:pd.push.apply(pd,o))}i=s}if(o=!1,i!==2)continue}}if(i===1){Vd(e,0),Rd(e,t,0,!0);break}a:{switch(r=e,o=i,o){case 0:case 1:throw Error(a(345));case 4:if((t&4194048)!==t&&(t&62914560)!==t)break;case 6:Rd(r,t,ud,!rd);break a;case 2:pd=null;break;case 3:case 5:break;default:throw Error(a(329))}if((t&62914560)===t&&(i=hd+300-Ze(),10<i)){if(Rd(r,t,ud,!rd),yt(r,0,!0)!==0)break a;Sd=t,r.timeoutHandle=gp(Id.bind(null,r,n,pd,vd,md,t,ud,cd,dd,rd,o,`Throttled`,-0,0),i);break a}Id(r,n,pd,vd,md,t,ud,cd,dd,rd,o,null,-0,0)}break}}while(1);Ef(e)}function Id(e,t,n,r,i,a,o,s,c,l,u,d,f,p){e.timeoutHandle=-1;var m=t.subtreeFlags,h=(a&335544064)===a;d=null,(h||m&8192||(m&16785408)==16785408)&&(d={stylesheets:null,count:0,imgCount:0,imgBytes:0,suspenseyImages:[],waitingForImages:!0,waitingForViewTransition:!1,unsuspend:An},Wl=null,Ju(t,a,d),h&&(m=d,h=e.containerInfo,h=(h.nodeType===9?h:h.ownerDocument).__reactViewTransition,h!=null&&(m.count++,m.waitingForViewTransition=!0,m=nh.bind(m),h.finished.then(m,m))),m=(a&62914560)===a?hd-Ze():(a&4194048)===a?gd-Ze():0,m=eh(d,m),m!==null)?(Sd=a,e.cancelPendingCommit=m(nf.bind(null,e,t,a,n,r,i,o,s,c,l,u,d,null,f,p)),Rd(e,a,o,!l)):nf(e,t,a,n,r,i,o,s,c,l,u,d)}function Ld(e){for(var t=e;;){var n=t.tag;if((n===0||n===11||n===15)&&t.flags&16384&&(n=t.updateQueue,n!==null&&(n=n.stores,n!==null)))for(var r=0;r<n.length;r++){var i=n[r],a=i.getSnapshot;i=i.value;try{if(!$r(a(),i))return!1}catch{return!1}}if(n=t.child,t.subtreeFlags&16384&&n!==null)n.return=t,t=n;else{if(t===e)break;for(;t.sibling===null;){if(t.return===null||t.return===e)return!0;t=t.return}t.sibling.return=t.return,t=t.sibling}}return!0}function Rd(e,t,n,r){t=xt(e,t),t&=~ld,t&=~cd,e.suspendedLanes|=t,e.pingedLanes&=~t,r&&(e.warmLanes|=t),r=e.expirationTimes;for(var i=t;0<i;){var a=31-lt(i),o=1<<a;r[a]=-1,i&=~o}n!==0&&Dt(e,n,t)}function zd(){return W&6?!0:(Df(0,!1),!1)}function Bd(){if(K!==null){if(J===0)var e=K.return;else e=K,Da=Ea=null,fs(e),ho=null,go=0,e=K;for(;e!==null;)Tl(e.alternate,e),e=e.return;K=null}}function Vd(e,t){var n=e.timeoutHandle;return n!==-1&&(e.timeoutHandle=-1,_p(n)),n=e.cancelPendingCommit,n!==null&&(e.cancelPendingCommit=null,n()),Sd=0,Bd(),G=e,K=n=Ki(e.current,null),q=t,J=0,nd=null,rd=!1,id=bt(e,t),ad=!1,dd=ud=ld=cd=sd=Y=0,pd=fd=null,md=!1,od=xt(e,t),Ii(),n}function Hd(e,t){M=null,C.H=bc,t===io||t===oo?(t=po(),J=3):t===ao?(t=po(),J=4):J=t===Rc?8:typeof t==`object`&&t&&typeof t.then==`function`?6:1,nd=t,K===null&&(Y=1,Mc(e,ea(t,e.current)))}function Ud(){var e=Bo.current;return e===null?!0:(q&4194048)===q?Vo===null:(q&62914560)===q||q&536870912?e===Vo:!1}function Wd(){var e=C.H;return C.H=bc,e===null?bc:e}function Gd(){var e=C.A;return C.A=ed,e}function Kd(){Y=4,rd||(q&4194048)!==q&&Bo.current!==null||(id=!0),!(sd&134217727)&&!(cd&134217727)||G===null||Rd(G,q,ud,!1)}function qd(e,t,n){var r=W;W|=2;var i=Wd(),a=Gd();(G!==e||q!==t)&&(vd=null,Vd(e,t)),t=!1;var o=Y;a:do try{if(J!==0&&K!==null){var s=K,c=nd;switch(J){case 8:Bd(),o=6;break a;case 3:case 2:case 9:case 6:Bo.current===null&&(t=!0);var l=J;if(J=0,nd=null,$d(e,s,c,l),n&&id){o=0;break a}break;default:l=J,J=0,nd=null,$d(e,s,c,l)}}Jd(),o=Y;break}catch(t){Hd(e,t)}while(1);return t&&e.shellSuspendCounter++,Da=Ea=null,W=r,C.H=i,C.A=a,K===null&&(G=null,q=0,Ii()),o}function Jd(){for(;K!==null;)Zd(K)}function Yd(e,t){var n=W;W|=2;var r=Wd(),i=Gd();G!==e||q!==t?(vd=null,_d=Ze()+500,Vd(e,t)):id=bt(e,t);a:do try{if(J!==0&&K!==null){t=K;var o=nd;b:switch(J){case 1:J=0,nd=null,$d(e,t,o,1);break;case 2:case 9:if(co(o)){J=0,nd=null,Qd(t);break}t=function(){J!==2&&J!==9||G!==e||(J=7),Ef(e)},o.then(t,t);break a;case 3:J=7;break a;case 4:J=5;break a;case 7:co(o)?(J=0,nd=null,Qd(t)):(J=0,nd=null,$d(e,t,o,7));break;case 5:var s=null;switch(K.tag){case 26:s=K.memoizedState;case 5:case 27:var c=K;if(s?Ym(s):c.stateNode.complete){J=0,nd=null;var l=c.sibling;if(l!==null)K=l;else{var u=c.return;u===null?K=null:(K=u,ef(u))}break b}}J=0,nd=null,$d(e,t,o,5);break;case 6:J=0,nd=null,$d(e,t,o,6);break;case 8:Bd(),Y=6;break a;default:throw Error(a(462))}}Xd();break}catch(t){Hd(e,t)}while(1);return Da=Ea=null,C.H=r,C.A=i,W=n,K===null?(G=null,q=0,Ii(),Y):0}function Xd(){for(;K!==null&&!Ye();)Zd(K)}function Zd(e){var t=_l(e.alternate,e,od);e.memoizedProps=e.pendingProps,t===null?ef(e):K=t}function Qd(e){var t=e,n=t.alternate;switch(t.tag){case 15:case 0:t=Zc(n,t,t.pendingProps,t.type,void 0,q);break;case 11:t=Zc(n,t,t.pendingProps,t.type.render,t.ref,q);break;case 5:fs(t);var r=t;r===ha&&(k?(ba(r),r.tag===5&&r.stateNode!=null&&(O=r.stateNode)):(ba(r),k=!0));default:Tl(n,t),t=K=qi(t,od),t=_l(n,t,od)}e.memoizedProps=e.pendingProps,t===null?ef(e):K=t}function $d(e,t,n,r){Da=Ea=null,fs(t),ho=null,go=0;var i=t.return;try{if(Lc(e,i,t,n,q)){Y=1,Mc(e,ea(n,e.current)),K=null;return}}catch(t){if(i!==null)throw K=i,t;Y=1,Mc(e,ea(n,e.current)),K=null;return}t.flags&32768?(k||r===1?e=!0:id||q&536870912?e=!1:(rd=e=!0,(r===2||r===9||r===3||r===6)&&(r=Bo.current,r!==null&&r.tag===13&&(r.flags|=16384))),tf(t,e)):ef(t)}function ef(e){var t=e;do{if(t.flags&32768){tf(t,rd);return}e=t.return;var n=Cl(t.alternate,t,od);if(n!==null){K=n;return}if(t=t.sibling,t!==null){K=t;return}K=t=e}while(t!==null);Y===0&&(Y=5)}function tf(e,t){do{var n=wl(e.alternate,e);if(n!==null){n.flags&=32767,K=n;return}if(n=e.return,n!==null&&(n.flags|=32768,n.subtreeFlags=0,n.deletions=null),!t&&(e=e.sibling,e!==null)){K=e;return}K=e=n}while(e!==null);Y=6,K=null}function nf(e,t,n,r,i,o,s,c,l,u,d,f){e.cancelPendingCommit=null;do df();while(X!==0);if(W&6)throw Error(a(327));if(t!==null){if(t===e.current)throw Error(a(177));e===G&&(K=G=null,q=0),xd=t,bd=e,Sd=n,wd=i,Td=r,rf(e,t,n,s,c,l,f)}}function rf(e,t,n,r,i,a,o){var s=t.lanes|t.childLanes;if(Cd=s,s|=Fi,Et(e,n,s,r,i,a),Dd=null,(n&335544064)===n?(Od=Ga(e),r=10262):(Od=null,r=10256),(t.subtreeFlags&r)!==0||(t.flags&r)!==0?(e.callbackNode=null,e.callbackPriority=0,yf(tt,function(){return ff(),null})):(e.callbackNode=null,e.callbackPriority=0),Ul=!1,r=!!(t.flags&13878),t.subtreeFlags&13878||r){r=C.T,C.T=null,i=w.p,w.p=2,a=W,W|=4;try{gu(e,t,n)}finally{W=a,w.p=i,C.T=r}}X=1,Ul?Ed=Mp(o,e.containerInfo,Od,sf,cf,of,lf,ff,af,null,null):(sf(),cf(),lf())}function af(e){if(X!==0){var t=bd.onRecoverableError;t(e,{componentStack:null})}}function of(){X===3&&(X=0,Iu(xd,bd),X=4)}function sf(){if(X===1){X=0;var e=bd,t=xd,n=Sd,r=!!(t.flags&13878);if(t.subtreeFlags&13878||r){r=C.T,C.T=null;var i=w.p;w.p=2;var a=W;W|=4;try{pu=mu=!1,Mu(t,e,n),n=cp;var o=ai(e.containerInfo),s=n.focusedElem,c=n.selectionRange;if(o!==s&&s&&s.ownerDocument&&ii(s.ownerDocument.documentElement,s)){if(c!==null&&oi(s)){var l=c.start,u=c.end;if(u===void 0&&(u=l),`selectionStart`in s)s.selectionStart=l,s.selectionEnd=Math.min(u,s.value.length);else{var d=s.ownerDocument||document,f=d&&d.defaultView||window;if(f.getSelection){var p=f.getSelection(),m=s.textContent.length,h=Math.min(c.start,m),g=c.end===void 0?h:Math.min(c.end,m);!p.extend&&h>g&&(o=g,g=h,h=o);var _=ri(s,h),v=ri(s,g);if(_&&v&&(p.rangeCount!==1||p.anchorNode!==_.node||p.anchorOffset!==_.offset||p.focusNode!==v.node||p.focusOffset!==v.offset)){var y=d.createRange();y.setStart(_.node,_.offset),p.removeAllRanges(),h>g?(p.addRange(y),p.extend(v.node,v.offset)):(y.setEnd(v.node,v.offset),p.addRange(y))}}}}for(d=[],p=s;p=p.parentNode;)p.nodeType===1&&d.push({element:p,left:p.scrollLeft,top:p.scrollTop});for(typeof s.focus==`function`&&s.focus(),s=0;s<d.length;s++){var b=d[s];b.element.scrollLeft=b.left,b.element.scrollTop=b.top}}gh=!!sp,cp=sp=null}finally{W=a,w.p=i,C.T=r}}e.current=t,X=2}}function cf(){if(X===2){X=0;var e=bd,t=xd,n=!!(t.flags&8772);if(t.subtreeFlags&8772||n){n=C.T,C.T=null;var r=w.p;w.p=2;var i=W;W|=4;try{vu(e,t.alternate,t)}finally{W=i,w.p=r,C.T=n}}X=3}}function lf(){if(X===4||X===3){X=0;var e=Ed;Ed=null,Xe();var t=bd,n=xd,r=Sd,i=Td,a=(r&335544064)===r?10262:10256;if((n.subtreeFlags&a)!==0||(n.flags&a)!==0?X=5:(X=0,xd=bd=null,uf(t,t.pendingLanes)),a=t.pendingLanes,a===0&&(yd=null),jt(r),n=n.stateNode,st&&typeof st.onCommitFiberRoot==`function`)try{st.onCommitFiberRoot(ot,n,void 0,(n.current.flags&128)==128)}catch{}if(i!==null){n=C.T,a=w.p,w.p=2,C.T=null;try{for(var o=t.onRecoverableError,s=0;s<i.length;s++){var c=i[s];o(c.value,{componentStack:c.stack})}}finally{C.T=n,w.p=a}}if(i=Dd,o=Od,Od=null,i!==null&&(Dd=null,o===null&&(o=[]),e!==null))for(c=0;c<i.length;c++)n=(0,i[c])(o),n!==void 0&&e.finished.finally(n);Sd&3&&df(),Ef(t),a=t.pendingLanes,r&261930&&a&42?t===Ad?kd++:(kd=0,Ad=t):(kd=0,Ad=null),Df(0,!1)}}function uf(e,t){(e.pooledCacheLanes&=t)===0&&(t=e.pooledCache,t!=null&&(e.pooledCache=null,Ha(t)))}function df(){return Ed!==null&&(Ed.skipTransition(),Ed=null),sf(),cf(),lf(),ff()}function ff(){if(X!==5)return!1;var e=bd,t=Cd;Cd=0;var n=jt(Sd),r=C.T,i=w.p;try{w.p=32>n?32:n,C.T=null,n=wd,wd=null;var o=bd,s=Sd;if(X=0,xd=bd=null,Sd=0,W&6)throw Error(a(331));var c=W;if(W|=4,Zu(o.current),Uu(o,o.current,s,n),W=c,Df(0,!1),st&&typeof st.onPostCommitFiberRoot==`function`)try{st.onPostCommitFiberRoot(ot,o)}catch{}return!0}finally{w.p=i,C.T=r,uf(e,t)}}function pf(e,t,n){t=ea(n,t),t=Pc(e.stateNode,t,2),e=Do(e,t,2),e!==null&&(Tt(e,2),Ef(e))}function Z(e,t,n){if(e.tag===3)pf(e,e,n);else for(;t!==null;){if(t.tag===3){pf(t,e,n);break}if(t.tag===1){var r=t.stateNode;if(typeof t.type.getDerivedStateFromError==`function`||typeof r.componentDidCatch==`function`&&(yd===null||!yd.has(r))){e=ea(n,e),n=Fc(2),r=Do(t,n,2),r!==null&&(Ic(n,r,t,e),Tt(r,2),Ef(r));break}}t=t.return}}function mf(e,t,n){var r=e.pingCache;if(r===null){r=e.pingCache=new td;var i=new Set;r.set(t,i)}else i=r.get(t),i===void 0&&(i=new Set,r.set(t,i));i.has(n)||(ad=!0,i.add(n),e=hf.bind(null,e,t,n),t.then(e,e))}function hf(e,t,n){var r=e.pingCache;r!==null&&r.delete(t),e.pingedLanes|=e.suspendedLanes&n,e.warmLanes&=~n,G===e&&(q&n)===n&&(Y===4||Y===3&&(q&62914560)===q&&300>Ze()-hd?W&2?ld|=n:Vd(e,0):ld|=n,dd===q&&(dd=0)),Ef(e)}function gf(e,t){t===0&&(t=Ct()),e=zi(e,t),e!==null&&(Tt(e,t),Ef(e))}function _f(e){var t=e.memoizedState,n=0;t!==null&&(n=t.retryLane),gf(e,n)}function vf(e,t){var n=0;switch(e.tag){case 31:case 13:var r=e.stateNode,i=e.memoizedState;i!==null&&(n=i.retryLane);break;case 19:r=e.stateNode;break;case 22:r=e.stateNode._retryCache;break;default:throw Error(a(314))}r!==null&&r.delete(t),gf(e,n)}function yf(e,t){return qe(e,t)}var bf=null,xf=null,Sf=!1,Cf=!1,wf=!1,Tf=0;function Ef(e){e!==xf&&e.next===null&&(xf===null?bf=xf=e:xf=xf.next=e),Cf=!0,Sf||(Sf=!0,Nf())}function Df(e,t){if(!wf&&Cf){wf=!0;do for(var n=!1,r=bf;r!==null;){if(!t){if(e!==0){var i=r.pendingLanes;if(i===0)var a=0;else{var o=r.suspendedLanes,s=r.pingedLanes;a=(1<<31-lt(42|e)+1)-1,a&=i&~(o&~s),a=a&201326741?a&201326741|1:a?a|2:0}a!==0&&(n=!0,Mf(r,a))}else a=q,a=yt(r,r===G?a:0,r.cancelPendingCommit!==null||r.timeoutHandle!==-1),!(a&3)||bt(r,a)||(n=!0,Mf(r,a))}r=r.next}while(n);wf=!1}}function Of(){kf()}function kf(){Cf=Sf=!1;var e=0;Tf!==0&&hp()&&(e=Tf);for(var t=Ze(),n=null,r=bf;r!==null;){var i=r.next,a=Af(r,t);a===0?(r.next=null,n===null?bf=i:n.next=i,i===null&&(xf=n)):(n=r,(e!==0||a&3)&&(Cf=!0)),r=i}X!==0&&X!==5||Df(e,!1),Tf!==0&&(Tf=0)}function Af(e,t){for(var n=e.suspendedLanes,r=e.pingedLanes,i=e.expirationTimes,a=e.pendingLanes&-62914561;0<a;){var o=31-lt(a),s=1<<o,c=i[o];c===-1?((s&n)===0||(s&r)!==0)&&(i[o]=St(s,t)):c<=t&&(e.expiredLanes|=s),a&=~s}if(t=G,n=q,n=yt(e,e===t?n:0,e.cancelPendingCommit!==null||e.timeoutHandle!==-1),r=e.callbackNode,n===0||e===t&&(J===2||J===9)||e.cancelPendingCommit!==null)return r!==null&&r!==null&&Je(r),e.callbackNode=null,e.callbackPriority=0;if(!(n&3)||bt(e,n)){if(t=n&-n,t===e.callbackPriority)return t;switch(r!==null&&Je(r),jt(n)){case 2:case 8:n=et;break;case 32:n=tt;break;case 268435456:n=rt;break;default:n=tt}return r=jf.bind(null,e),n=qe(n,r),e.callbackPriority=t,e.callbackNode=n,t}return r!==null&&r!==null&&Je(r),e.callbackPriority=2,e.callbackNode=null,2}function jf(e,t){if(X!==0&&X!==5)return e.callbackNode=null,e.callbackPriority=0,null;var n=e.callbackNode;if(df()&&e.callbackNode!==n)return null;var r=q;return r=yt(e,e===G?r:0,e.cancelPendingCommit!==null||e.timeoutHandle!==-1),r===0?null:(Fd(e,r,t),Af(e,Ze()),e.callbackNode!=null&&e.callbackNode===n?jf.bind(null,e):null)}function Mf(e,t){if(df())return null;Fd(e,t,!0)}function Nf(){bp(function(){W&6?qe($e,Of):kf()})}function Pf(){if(Tf===0){var e=Ja;e===0&&(e=pt,pt<<=1,!(pt&261888)&&(pt=256)),Tf=e}return Tf}function Ff(e){return e==null||typeof e==`symbol`||typeof e==`boolean`?null:typeof e==`function`?e:kn(e)}function If(e,t,n,r,i){if(t===`submit`&&n&&n.stateNode===i){var a=Ff((i[It]||null).action),o=r.submitter;o&&(t=(t=o[It]||null)?Ff(t.formAction):o.getAttribute(`formAction`),t!==null&&(a=t,o=null));var s=new Zn(`action`,`action`,null,r,i);e.push({event:s,listeners:[{instance:null,listener:function(){if(r.defaultPrevented){if(Tf!==0){var e=new FormData(i,o);oc(n,{pending:!0,data:e,method:i.method,action:a},null,e)}}else typeof a==`function`&&(s.preventDefault(),e=new FormData(i,o),oc(n,{pending:!0,data:e,method:i.method,action:a},a,e))},currentTarget:i}]})}}for(var Lf=0;Lf<Ei.length;Lf++){var Rf=Ei[Lf];Di(Rf.toLowerCase(),`on`+(Rf[0].toUpperCase()+Rf.slice(1)))}Di(vi,`onAnimationEnd`),Di(yi,`onAnimationIteration`),Di(bi,`onAnimationStart`),Di(`dblclick`,`onDoubleClick`),Di(`focusin`,`onFocus`),Di(`focusout`,`onBlur`),Di(xi,`onTransitionRun`),Di(Si,`onTransitionStart`),Di(Ci,`onTransitionCancel`),Di(wi,`onTransitionEnd`),en(`onMouseEnter`,[`mouseout`,`mouseover`]),en(`onMouseLeave`,[`mouseout`,`mouseover`]),en(`onPointerEnter`,[`pointerout`,`pointerover`]),en(`onPointerLeave`,[`pointerout`,`pointerover`]),$t(`onChange`,`change click focusin focusout input keydown keyup selectionchange`.split(` `)),$t(`onSelect`,`focusout contextmenu dragend focusin keydown keyup mousedown mouseup selectionchange`.split(` `)),$t(`onBeforeInput`,[`compositionend`,`keypress`,`textInput`,`paste`]),$t(`onCompositionEnd`,`compositionend focusout keydown keypress keyup mousedown`.split(` `)),$t(`onCompositionStart`,`compositionstart focusout keydown keypress keyup mousedown`.split(` `)),$t(`onCompositionUpdate`,`compositionupdate focusout keydown keypress keyup mousedown`.split(` `));var zf=`abort canplay canplaythrough durationchange emptied encrypted ended error loadeddata loadedmetadata loadstart pause play playing progress ratechange resize seeked seeking stalled suspend timeupdate volumechange waiting`.split(` `),Bf=new Set(`beforetoggle cancel close invalid load scroll scrollend toggle`.split(` `).concat(zf));function Vf(e,t){t=!!(t&4);for(var n=0;n<e.length;n++){var r=e[n],i=r.event;r=r.listeners;a:{var a=void 0;if(t)for(var o=r.length-1;0<=o;o--){var s=r[o],c=s.instance,l=s.currentTarget;if(s=s.listener,c!==a&&i.isPropagationStopped())break a;a=s,i.currentTarget=l;try{a(i)}catch(e){Mi(e)}i.currentTarget=null,a=c}else for(o=0;o<r.length;o++){if(s=r[o],c=s.instance,l=s.currentTarget,s=s.listener,c!==a&&i.isPropagationStopped())break a;a=s,i.currentTarget=l;try{a(i)}catch(e){Mi(e)}i.currentTarget=null,a=c}}}}function Q(e,t){var n=t[Rt];n===void 0&&(n=t[Rt]=new Set);var r=e+`__bubble`;n.has(r)||(Gf(t,e,2,!1),n.add(r))}function Hf(e,t,n){var r=0;t&&(r|=4),Gf(n,e,r,t)}var Uf=`_reactListening`+Math.random().toString(36).slice(2);function Wf(e){if(!e[Uf]){e[Uf]=!0,Zt.forEach(function(t){t!==`selectionchange`&&(Bf.has(t)||Hf(t,!1,e),Hf(t,!0,e))});var t=e.nodeType===9?e:e.ownerDocument;t===null||t[Uf]||(t[Uf]=!0,Hf(`selectionchange`,!1,t))}}function Gf(e,t,n,r){switch(Ch(t)){case 2:var i=_h;break;case 8:i=vh;break;default:i=yh}n=i.bind(null,t,n,e),i=void 0,!Bn||t!==`touchstart`&&t!==`touchmove`&&t!==`wheel`||(i=!0),r?i===void 0?e.addEventListener(t,n,!0):e.addEventListener(t,n,{capture:!0,passive:i}):i===void 0?e.addEventListener(t,n,!1):e.addEventListener(t,n,{passive:i})}function Kf(e,t,n,r,i){var a=r;if(!(t&1)&&!(t&2)&&r!==null)a:for(;;){if(r===null)return;var o=r.tag;if(o===3||o===4){var c=r.stateNode.containerInfo;if(c===i)break;if(o===4)for(o=r.return;o!==null;){var l=o.tag;if((l===3||l===4)&&o.stateNode.containerInfo===i)return;o=o.return}for(;c!==null;){if(o=Gt(c),o===null)return;if(l=o.tag,l===5||l===6||l===26||l===27){r=a=o;continue a}c=c.parentNode}}r=r.return}Ln(function(){var r=a,i=Mn(n),o=[];a:{var c=Ti.get(e);if(c!==void 0){var l=Zn,u=e;switch(e){case`keypress`:if(Kn(n)===0)break a;case`keydown`:case`keyup`:l=hr;break;case`focusin`:u=`focus`,l=or;break;case`focusout`:u=`blur`,l=or;break;case`beforeblur`:case`afterblur`:l=or;break;case`click`:if(n.button===2)break a;case`auxclick`:case`dblclick`:case`mousedown`:case`mousemove`:case`mouseup`:case`mouseout`:case`mouseover`:case`contextmenu`:l=ir;break;case`drag`:case`dragend`:case`dragenter`:case`dragexit`:case`dragleave`:case`dragover`:case`dragstart`:case`drop`:l=ar;break;case`touchcancel`:case`touchend`:case`touchmove`:case`touchstart`:l=vr;break;case vi:case yi:case bi:l=sr;break;case wi:l=yr;break;case`scroll`:case`scrollend`:l=$n;break;case`wheel`:l=br;break;case`copy`:case`cut`:case`paste`:l=cr;break;case`gotpointercapture`:case`lostpointercapture`:case`pointercancel`:case`pointerdown`:case`pointermove`:case`pointerout`:case`pointerover`:case`pointerup`:l=gr;break;case`submit`:l=_r;break;case`toggle`:case`beforetoggle`:l=xr}var d=!!(t&4),f=!d&&(e===`scroll`||e===`scrollend`),p=d?c===null?null:c+`Capture`:c;d=[];for(var m=r,h;m!==null;){var g=m;if(h=g.stateNode,g=g.tag,g!==5&&g!==26&&g!==27||h===null||p===null||(g=Rn(m,p),g!=null&&d.push(qf(m,g,h))),f)break;m=m.return}0<d.length&&(c=new l(c,u,null,n,i),o.push({event:c,listeners:d}))}}if(!(t&7)){a:{if(l=e===`mouseover`||e===`pointerover`,c=e===`mouseout`||e===`pointerout`,l&&n!==jn&&(u=n.relatedTarget||n.fromElement)&&(Gt(u)||u[Lt]))break a;(c||l)&&(u=i.window===i?i:(l=i.ownerDocument)?l.defaultView||l.parentWindow:window,c?(l=n.relatedTarget||n.toElement,c=r,l=l?Gt(l):null,l!==null&&(f=s(l),d=l.tag,l!==f||d!==5&&d!==27&&d!==6)&&(l=null)):(c=null,l=r),c!==l&&(d=ir,g=`onMouseLeave`,p=`onMouseEnter`,m=`mouse`,(e===`pointerout`||e===`pointerover`)&&(d=gr,g=`onPointerLeave`,p=`onPointerEnter`,m=`pointer`),f=c==null?u:qt(c),h=l==null?u:qt(l),u=new d(g,m+`leave`,c,n,i),u.target=f,u.relatedTarget=h,g=null,Gt(i)===r&&(d=new d(p,m+`enter`,l,n,i),d.target=h,d.relatedTarget=f,g=d),f=g,d=c&&l?re(c,l,Yf):null,c!==null&&Xf(o,u,c,d,!1),l!==null&&f!==null&&Xf(o,f,l,d,!0)))}a:{if(c=r?qt(r):window,l=c.nodeName&&c.nodeName.toLowerCase(),l===`select`||l===`input`&&c.type===`file`)var _=Vr;else if(Fr(c)){if(Hr)_=Zr;else{_=Yr;var v=Jr}}else l=c.nodeName,!l||l.toLowerCase()!==`input`||c.type!==`checkbox`&&c.type!==`radio`?r&&En(r.elementType)&&(_=Vr):_=Xr;if(_&&=_(e,r)){Ir(o,_,n,i);break a}v&&v(e,c,r)}switch(v=r?qt(r):window,e){case`focusin`:(Fr(v)||v.contentEditable===`true`)&&(ci=v,li=r,ui=null);break;case`focusout`:ui=li=ci=null;break;case`mousedown`:di=!0;break;case`contextmenu`:case`mouseup`:case`dragend`:di=!1,fi(o,n,i);break;case`selectionchange`:if(si)break;case`keydown`:case`keyup`:fi(o,n,i)}var y;if(Cr)b:{switch(e){case`compositionstart`:var b=`onCompositionStart`;break b;case`compositionend`:b=`onCompositionEnd`;break b;case`compositionupdate`:b=`onCompositionUpdate`;break b}b=void 0}else jr?kr(e,n)&&(b=`onCompositionEnd`):e===`keydown`&&n.keyCode===229&&(b=`onCompositionStart`);b&&(Er&&n.locale!==`ko`&&(jr||b!==`onCompositionStart`?b===`onCompositionEnd`&&jr&&(y=Gn()):(Hn=i,Un=`value`in Hn?Hn.value:Hn.textContent,jr=!0)),v=Jf(r,b),0<v.length&&(b=new lr(b,e,null,n,i),o.push({event:b,listeners:v}),y?b.data=y:(y=Ar(n),y!==null&&(b.data=y)))),(y=Tr?Mr(e,n):Nr(e,n))&&(b=Jf(r,`onBeforeInput`),0<b.length&&(v=new lr(`onBeforeInput`,`beforeinput`,null,n,i),o.push({event:v,listeners:b}),v.data=y)),If(o,e,r,n,i)}Vf(o,t)})}function qf(e,t,n){return{instance:e,listener:t,currentTarget:n}}function Jf(e,t){for(var n=t+`Capture`,r=[];e!==null;){var i=e,a=i.stateNode;if(i=i.tag,i!==5&&i!==26&&i!==27||a===null||(i=Rn(e,n),i!=null&&r.unshift(qf(e,i,a)),i=Rn(e,t),i!=null&&r.push(qf(e,i,a))),e.tag===3)return r;e=e.return}return[]}function Yf(e){if(e===null)return null;do e=e.return;while(e&&e.tag!==5&&e.tag!==27);return e||null}function Xf(e,t,n,r,i){for(var a=t._reactName,o=[];n!==null&&n!==r;){var s=n,c=s.alternate,l=s.stateNode;if(s=s.tag,c!==null&&c===r)break;s!==5&&s!==26&&s!==27||l===null||(c=l,i?(l=Rn(n,a),l!=null&&o.unshift(qf(n,l,c))):i||(l=Rn(n,a),l!=null&&o.push(qf(n,l,c)))),n=n.return}o.length!==0&&e.push({event:t,listeners:o})}var Zf=/\r\n?/g,Qf=/\u0000|\uFFFD/g;function $f(e){return(typeof e==`string`?e:``+e).replace(Zf,`
`).replace(Qf,``)}function ep(e,t){return t=$f(t),$f(e)===t}function $(e,t,n,r,i,o){switch(n){case`children`:if(typeof r==`string`)t===`body`||t===`textarea`&&r===``||Sn(e,r);else if(typeof r==`number`||typeof r==`bigint`)t!==`body`&&Sn(e,``+r);else return;break;case`className`:cn(e,`class`,r);break;case`tabIndex`:cn(e,`tabindex`,r);break;case`dir`:case`role`:case`viewBox`:case`width`:case`height`:cn(e,n,r);break;case`style`:Tn(e,r,o);return;case`data`:if(t!==`object`){cn(e,`data`,r);break}case`src`:case`href`:if(r===``&&(t!==`a`||n!==`href`)||r==null||typeof r==`function`||typeof r==`symbol`||typeof r==`boolean`){e.removeAttribute(n);break}r=kn(r),e.setAttribute(n,r);break;case`action`:case`formAction`:if(typeof r==`function`){e.setAttribute(n,`javascript:throw new Error('A React form was unexpectedly submitted. If you called form.submit() manually, consider using form.requestSubmit() instead. If you\\'re trying to use event.stopPropagation() in a submit event handler, consider also calling event.preventDefault().')`);break}if(typeof o==`function`&&(n===`formAction`?(t!==`input`&&$(e,t,`name`,i.name,i,null),$(e,t,`formEncType`,i.formEncType,i,null),$(e,t,`formMethod`,i.formMethod,i,null),$(e,t,`formTarget`,i.formTarget,i,null)):($(e,t,`encType`,i.encType,i,null),$(e,t,`method`,i.method,i,null),$(e,t,`target`,i.target,i,null))),r==null||typeof r==`symbol`||typeof r==`boolean`){e.removeAttribute(n);break}r=kn(r),e.setAttribute(n,r);break;case`onClick`:r!=null&&(e.onclick=An);return;case`onScroll`:r!=null&&Q(`scroll`,e);return;case`onScrollEnd`:r!=null&&Q(`scrollend`,e);return;case`dangerouslySetInnerHTML`:if(r!=null){if(typeof r!=`object`||!(`__html`in r))throw Error(a(61));if(n=r.__html,n!=null){if(i.children!=null)throw Error(a(60));o?.__html!==n&&(e.innerHTML=n)}}break;case`multiple`:e.multiple=r&&typeof r!=`function`&&typeof r!=`symbol`;break;case`muted`:e.muted=r&&typeof r!=`function`&&typeof r!=`symbol`;break;case`suppressContentEditableWarning`:case`suppressHydrationWarning`:case`defaultValue`:case`defaultChecked`:case`innerHTML`:case`ref`:break;case`autoFocus`:break;case`xlinkHref`:if(r==null||typeof r==`function`||typeof r==`boolean`||typeof r==`symbol`){e.removeAttribute(`xlink:href`);break}n=kn(r),e.setAttributeNS(`http://www.w3.org/1999/xlink`,`xlink:href`,n);break;case`contentEditable`:case`spellCheck`:case`draggable`:case`value`:case`autoReverse`:case`externalResourcesRequired`:case`focusable`:case`preserveAlpha`:r!=null&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,r):e.removeAttribute(n);break;case`inert`:case`allowFullScreen`:case`async`:case`autoPlay`:case`controls`:case`credentialless`:case`default`:case`defer`:case`disabled`:case`disablePictureInPicture`:case`disableRemotePlayback`:case`formNoValidate`:case`hidden`:case`loop`:case`noModule`:case`noValidate`:case`open`:case`playsInline`:case`readOnly`:case`required`:case`reversed`:case`scoped`:case`seamless`:case`itemScope`:r&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,``):e.removeAttribute(n);break;case`capture`:case`download`:!0===r?e.setAttribute(n,``):!1!==r&&r!=null&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,r):e.removeAttribute(n);break;case`cols`:case`rows`:case`size`:case`span`:r!=null&&typeof r!=`function`&&typeof r!=`symbol`&&!isNaN(r)&&1<=r?e.setAttribute(n,r):e.removeAttribute(n);break;case`rowSpan`:case`start`:r==null||typeof r==`function`||typeof r==`symbol`||isNaN(r)?e.removeAttribute(n):e.setAttribute(n,r);break;case`popover`:Q(`beforetoggle`,e),Q(`toggle`,e),sn(e,`popover`,r);break;case`xlinkActuate`:ln(e,`http://www.w3.org/1999/xlink`,`xlink:actuate`,r);break;case`xlinkArcrole`:ln(e,`http://www.w3.org/1999/xlink`,`xlink:arcrole`,r);break;case`xlinkRole`:ln(e,`http://www.w3.org/1999/xlink`,`xlink:role`,r);break;case`xlinkShow`:ln(e,`http://www.w3.org/1999/xlink`,`xlink:show`,r);break;case`xlinkTitle`:ln(e,`http://www.w3.org/1999/xlink`,`xlink:title`,r);break;case`xlinkType`:ln(e,`http://www.w3.org/1999/xlink`,`xlink:type`,r);break;case`xmlBase`:ln(e,`http://www.w3.org/XML/1998/namespace`,`xml:base`,r);break;case`xmlLang`:ln(e,`http://www.w3.org/XML/1998/namespace`,`xml:lang`,r);break;case`xmlSpace`:ln(e,`http://www.w3.org/XML/1998/namespace`,`xml:space`,r);break;case`is`:sn(e,`is`,r);break;case`innerText`:case`textContent`:return;default:if(!(2<n.length)||n[0]!==`o`&&n[0]!==`O`||n[1]!==`n`&&n[1]!==`N`)n=Dn.get(n)||n,sn(e,n,r);else return}E=!0}function tp(e,t,n,r,i,o){switch(n){case`style`:Tn(e,r,o);return;case`dangerouslySetInnerHTML`:if(r!=null){if(typeof r!=`object`||!(`__html`in r))throw Error(a(61));if(n=r.__html,n!=null){if(i.children!=null)throw Error(a(60));o?.__html!==n&&(e.innerHTML=n)}}break;case`children`:if(typeof r==`string`)Sn(e,r);else if(typeof r==`number`||typeof r==`bigint`)Sn(e,``+r);else return;break;case`onScroll`:r!=null&&Q(`scroll`,e);return;case`onScrollEnd`:r!=null&&Q(`scrollend`,e);return;case`onClick`:r!=null&&(e.onclick=An);return;case`suppressContentEditableWarning`:case`suppressHydrationWarning`:case`innerHTML`:case`ref`:return;case`innerText`:case`textContent`:return;default:if(!Qt.hasOwnProperty(n))a:{if(n[0]===`o`&&n[1]===`n`&&(i=n.endsWith(`Capture`),o=n.slice(2,i?n.length-7:void 0),t=e[It]||null,t=t==null?null:t[n],typeof t==`function`&&e.removeEventListener(o,t,i),typeof r==`function`)){typeof t!=`function`&&t!==null&&(n in e?e[n]=null:e.hasAttribute(n)&&e.removeAttribute(n)),e.addEventListener(o,r,i);break a}E=!0,n in e?e[n]=r:!0===r?e.setAttribute(n,``):sn(e,n,r)}return}E=!0}function np(e,t,n){switch(t){case`div`:case`span`:case`svg`:case`path`:case`a`:case`g`:case`p`:case`li`:break;case`img`:Q(`error`,e),Q(`load`,e);var r=!1,i=!1,o;for(o in n)if(n.hasOwnProperty(o)){var s=n[o];if(s!=null)switch(o){case`src`:r=!0;break;case`srcSet`:i=!0;break;case`children`:case`dangerouslySetInnerHTML`:throw Error(a(137,t));default:$(e,t,o,s,n,null)}}i&&$(e,t,`srcSet`,n.srcSet,n,null),r&&$(e,t,`src`,n.src,n,null);return;case`input`:Q(`invalid`,e);var c=o=s=i=null,l=null,u=null;for(r in n)if(n.hasOwnProperty(r)){var d=n[r];if(d!=null)switch(r){case`name`:i=d;break;case`type`:s=d;break;case`checked`:l=d;break;case`defaultChecked`:u=d;break;case`value`:o=d;break;case`defaultValue`:c=d;break;case`children`:case`dangerouslySetInnerHTML`:if(d!=null)throw Error(a(137,t));break;default:$(e,t,r,d,n,null)}}_n(e,o,c,l,u,s,i,!1);return;case`select`:for(i in Q(`invalid`,e),r=s=o=null,n)if(n.hasOwnProperty(i)&&(c=n[i],c!=null))switch(i){case`value`:o=c;break;case`defaultValue`:s=c;break;case`multiple`:r=c;default:$(e,t,i,c,n,null)}t=o,n=s,e.multiple=!!r,t==null?n!=null&&yn(e,!!r,n,!0):yn(e,!!r,t,!1);return;case`textarea`:for(s in Q(`invalid`,e),o=i=r=null,n)if(n.hasOwnProperty(s)&&(c=n[s],c!=null))switch(s){case`value`:r=c;break;case`defaultValue`:i=c;break;case`children`:o=c;break;case`dangerouslySetInnerHTML`:if(c!=null)throw Error(a(91));break;default:$(e,t,s,c,n,null)}xn(e,r,i,o);return;case`option`:for(l in n)if(n.hasOwnProperty(l)&&(r=n[l],r!=null))switch(l){case`selected`:e.selected=r&&typeof r!=`function`&&typeof r!=`symbol`;break;default:$(e,t,l,r,n,null)}return;case`dialog`:Q(`beforetoggle`,e),Q(`toggle`,e),Q(`cancel`,e),Q(`close`,e);break;case`iframe`:case`object`:Q(`load`,e);break;case`video`:case`audio`:for(r=0;r<zf.length;r++)Q(zf[r],e);break;case`image`:Q(`error`,e),Q(`load`,e);break;case`details`:Q(`toggle`,e);break;case`embed`:case`source`:case`link`:Q(`error`,e),Q(`load`,e);case`area`:case`base`:case`br`:case`col`:case`hr`:case`keygen`:case`meta`:case`param`:case`track`:case`wbr`:case`menuitem`:for(u in n)if(n.hasOwnProperty(u)&&(r=n[u],r!=null))switch(u){case`children`:case`dangerouslySetInnerHTML`:throw Error(a(137,t));default:$(e,t,u,r,n,null)}return;default:if(En(t)){for(d in n)n.hasOwnProperty(d)&&(r=n[d],r!==void 0&&tp(e,t,d,r,n,void 0));return}}for(c in n)n.hasOwnProperty(c)&&(r=n[c],r!=null&&$(e,t,c,r,n,null))}var rp={};function ip(e,t,n,r){switch(t){case`div`:case`span`:case`svg`:case`path`:case`a`:case`g`:case`p`:case`li`:break;case`input`:var i=null,o=null,s=null,c=null,l=null,u=null,d=null;for(m in n){var f=n[m];if(n.hasOwnProperty(m)&&f!=null)switch(m){case`checked`:break;case`value`:break;case`defaultValue`:l=f;default:r.hasOwnProperty(m)||$(e,t,m,null,r,f)}}for(var p in r){var m=r[p];if(f=n[p],r.hasOwnProperty(p)&&(m!=null||f!=null))switch(p){case`type`:m!==f&&(E=!0),o=m;break;case`name`:m!==f&&(E=!0),i=m;break;case`checked`:m!==f&&(E=!0),u=m;break;case`defaultChecked`:m!==f&&(E=!0),d=m;break;case`value`:m!==f&&(E=!0),s=m;break;case`defaultValue`:m!==f&&(E=!0),c=m;break;case`children`:case`dangerouslySetInnerHTML`:if(m!=null)throw Error(a(137,t));break;default:m!==f&&$(e,t,p,m,r,f)}}gn(e,s,c,l,u,d,o,i);return;case`select`:for(o in m=s=c=p=null,n)if(l=n[o],n.hasOwnProperty(o)&&l!=null)switch(o){case`value`:break;case`multiple`:m=l;default:r.hasOwnProperty(o)||$(e,t,o,null,r,l)}for(i in r)if(o=r[i],l=n[i],r.hasOwnProperty(i)&&(o!=null||l!=null))switch(i){case`value`:o!==l&&(E=!0),p=o;break;case`defaultValue`:o!==l&&(E=!0),c=o;break;case`multiple`:o!==l&&(E=!0),s=o;default:o!==l&&$(e,t,i,o,r,l)}t=c,n=s,r=m,p==null?!!r!=!!n&&(t==null?yn(e,!!n,n?[]:``,!1):yn(e,!!n,t,!0)):yn(e,!!n,p,!1);return;case`textarea`:for(c in m=p=null,n)if(i=n[c],n.hasOwnProperty(c)&&i!=null&&!r.hasOwnProperty(c))switch(c){case`value`:break;case`children`:break;default:$(e,t,c,null,r,i)}for(s in r)if(i=r[s],o=n[s],r.hasOwnProperty(s)&&(i!=null||o!=null))switch(s){case`value`:i!==o&&(E=!0),p=i;break;case`defaultValue`:i!==o&&(E=!0),m=i;break;case`children`:break;case`dangerouslySetInnerHTML`:if(i!=null)throw Error(a(91));break;default:i!==o&&$(e,t,s,i,r,o)}bn(e,p,m);return;case`option`:for(var h in n)if(p=n[h],n.hasOwnProperty(h)&&p!=null&&!r.hasOwnProperty(h))switch(h){case`selected`:e.selected=!1;break;default:$(e,t,h,null,r,p)}for(l in r)if(p=r[l],m=n[l],r.hasOwnProperty(l)&&p!==m&&(p!=null||m!=null))switch(l){case`selected`:p!==m&&(E=!0),e.selected=p&&typeof p!=`function`&&typeof p!=`symbol`;break;default:$(e,t,l,p,r,m)}return;case`img`:case`link`:case`area`:case`base`:case`br`:case`col`:case`embed`:case`hr`:case`keygen`:case`meta`:case`param`:case`source`:case`track`:case`wbr`:case`menuitem`:for(var g in n)p=n[g],n.hasOwnProperty(g)&&p!=null&&!r.hasOwnProperty(g)&&$(e,t,g,null,r,p);for(u in r)if(p=r[u],m=n[u],r.hasOwnProperty(u)&&p!==m&&(p!=null||m!=null))switch(u){case`children`:case`dangerouslySetInnerHTML`:if(p!=null)throw Error(a(137,t));break;default:$(e,t,u,p,r,m)}return;default:if(En(t)){for(var _ in n)p=n[_],n.hasOwnProperty(_)&&p!==void 0&&!r.hasOwnProperty(_)&&tp(e,t,_,void 0,r,p);for(d in r)p=r[d],m=n[d],!r.hasOwnProperty(d)||p===m||p===void 0&&m===void 0||tp(e,t,d,p,r,m);return}}for(var v in n)p=n[v],n.hasOwnProperty(v)&&p!=null&&!r.hasOwnProperty(v)&&$(e,t,v,null,r,p);for(f in r)p=r[f],m=n[f],!r.hasOwnProperty(f)||p===m||p==null&&m==null||$(e,t,f,p,r,m)}function ap(e){switch(e){case`css`:case`script`:case`font`:case`img`:case`image`:case`input`:case`link`:return!0;default:return!1}}function op(){if(typeof performance.getEntriesByType==`function`){for(var e=0,t=0,n=performance.getEntriesByType(`resource`),r=0;r<n.length;r++){var i=n[r],a=i.transferSize,o=i.initiatorType,s=i.duration;if(a&&s&&ap(o)){for(o=0,s=i.responseEnd,r+=1;r<n.length;r++){var c=n[r],l=c.startTime;if(l>s)break;var u=c.transferSize,d=c.initiatorType;u&&ap(d)&&(c=c.responseEnd,o+=u*(c<s?1:(s-l)/(c-l)))}if(--r,t+=8*(a+o)/(i.duration/1e3),e++,10<e)break}}if(0<e)return t/e/1e6}return navigator.connection&&(e=navigator.connection.downlink,typeof e==`number`)?e:5}var sp=null,cp=null;function lp(e){return e.nodeType===9?e:e.ownerDocument}function up(e){switch(e){case`http://www.w3.org/2000/svg`:return 1;case`http://www.w3.org/1998/Math/MathML`:return 2;default:return 0}}function dp(e,t){if(e===0)switch(t){case`svg`:return 1;case`math`:return 2;default:return 0}return e===1&&t===`foreignObject`?0:e}function fp(e,t,n,r){return n=lp(n).createElement(e),n[Ft]=r,n[It]=t,np(n,e,t),Yt(n),n}function pp(e,t){return e===`textarea`||e===`noscript`||typeof t.children==`string`||typeof t.children==`number`||typeof t.children==`bigint`||typeof t.dangerouslySetInnerHTML==`object`&&t.dangerouslySetInnerHTML!==null&&t.dangerouslySetInnerHTML.__html!=null}var mp=null;function hp(){var e=window.event;return e&&e.type===`popstate`?e!==mp&&(mp=e,!0):(mp=null,!1)}var gp=typeof setTimeout==`function`?setTimeout:void 0,_p=typeof clearTimeout==`function`?clearTimeout:void 0,vp=typeof Promise==`function`?Promise:void 0,yp=typeof requestAnimationFrame==`function`?requestAnimationFrame:gp,bp=typeof queueMicrotask==`function`?queueMicrotask:vp===void 0?gp:function(e){return vp.resolve(null).then(e).catch(xp)};function xp(e){setTimeout(function(){throw e})}function Sp(e){return e===`head`}function Cp(e,t){var n=t,r=0;do{var i=n.nextSibling;if(e.removeChild(n),i&&i.nodeType===8){if(n=i.data,n===`/$`||n===`/&`){if(r===0){e.removeChild(i),Hh(t);return}r--}else if(n===`$`||n===`$?`||n===`$~`||n===`$!`||n===`&`)r++;else if(n===`html`)_m(e.ownerDocument.documentElement);else if(n===`head`){n=e.ownerDocument.head,_m(n);for(var a=n.firstChild;a;){var o=a.nextSibling,s=a.nodeName;a[Ht]||s===`SCRIPT`||s===`STYLE`||s===`LINK`&&a.rel.toLowerCase()===`stylesheet`||n.removeChild(a),a=o}}else n===`body`&&_m(e.ownerDocument.body)}n=i}while(n);Hh(t)}function wp(e,t){var n=e;e=0;do{var r=n.nextSibling;if(n.nodeType===1?t?(n._stashedDisplay=n.style.display,n.style.display=`none`):(n.style.display=n._stashedDisplay||``,n.getAttribute(`style`)===``&&n.removeAttribute(`style`)):n.nodeType===3&&(t?(n._stashedText=n.nodeValue,n.nodeValue=``):n.nodeValue=n._stashedText||``),r&&r.nodeType===8){if(n=r.data,n===`/$`){if(e===0)break;e--}else n!==`$`&&n!==`$?`&&n!==`$~`&&n!==`$!`||e++}n=r}while(n)}function Tp(e,t,n){if(t=CSS.escape(t)===t?t:`r-`+btoa(t).replace(/=/g,``),e.style.viewTransitionName=t,n!=null&&(e.style.viewTransitionClass=n),n=getComputedStyle(e),n.display===`inline`){if(t=e.getClientRects(),t.length===1)var r=1;else for(var i=r=0;i<t.length;i++){var a=t[i];0<a.width&&0<a.height&&r++}r===1&&(e=e.style,e.display=t.length===1?`inline-block`:`block`,e.marginTop=`-`+n.paddingTop,e.marginBottom=`-`+n.paddingBottom)}}function Ep(e,t){e=e.style,t=t.style;var n=t==null?null:t.hasOwnProperty(`viewTransitionName`)?t.viewTransitionName:t.hasOwnProperty(`view-transition-name`)?t[`view-transition-name`]:null;e.viewTransitionName=n==null||typeof n==`boolean`?``:(``+n).trim(),n=t==null?null:t.hasOwnProperty(`viewTransitionClass`)?t.viewTransitionClass:t.hasOwnProperty(`view-transition-class`)?t[`view-transition-class`]:null,e.viewTransitionClass=n==null||typeof n==`boolean`?``:(``+n).trim(),e.display===`inline-block`&&(t==null?e.display=e.margin=``:(n=t.display,e.display=n==null||typeof n==`boolean`?``:n,n=t.margin,n==null?(n=t.hasOwnProperty(`marginTop`)?t.marginTop:t[`margin-top`],e.marginTop=n==null||typeof n==`boolean`?``:n,t=t.hasOwnProperty(`marginBottom`)?t.marginBottom:t[`margin-bottom`],e.marginBottom=t==null||typeof t==`boolean`?``:t):e.margin=n))}function Dp(e,t,n){return n=n.ownerDocument.defaultView,{rect:e,abs:t.position===`absolute`||t.position===`fixed`,clip:t.clipPath!==`none`||t.overflow!==`visible`||t.filter!==`none`||t.mask!==`none`||t.mask!==`none`||t.borderRadius!==`0px`,view:0<=e.bottom&&0<=e.right&&e.top<=n.innerHeight&&e.left<=n.innerWidth}}function Op(e){return Dp(e.getBoundingClientRect(),getComputedStyle(e),e)}function kp(e){var t=e.getBoundingClientRect();t=new DOMRect(t.x+2e4,t.y+2e4,t.width,t.height);var n=getComputedStyle(e);return Dp(t,n,e)}function Ap(e){return e.documentElement.clientHeight}function jp(e){this.addEventListener(`load`,e),this.addEventListener(`error`,e)}function Mp(e,t,n,r,i,a,o,s,c){var l=t.nodeType===9?t:t.ownerDocument;try{var u=l.startViewTransition({update:function(){var t=l.defaultView,n=t.navigation&&t.navigation.transition,o=l.fonts.status;r();var s=[];if(o===`loaded`&&(Ap(l),l.fonts.status===`loading`&&s.push(l.fonts.ready)),o=s.length,e!==null)for(var c=e.suspenseyImages,u=0,d=0;d<c.length;d++){var f=c[d];if(!f.complete){var p=f.getBoundingClientRect();if(0<p.bottom&&0<p.right&&p.top<t.innerHeight&&p.left<t.innerWidth){if(u+=Xm(f),u>$m){s.length=o;break}f=new Promise(jp.bind(f)),s.push(f)}}}if(0<s.length)return t=Promise.race([Promise.all(s),new Promise(function(e){return setTimeout(e,500)})]).then(i,i),(n?Promise.allSettled([n.finished,t]):t).then(a,a);if(i(),n)return n.finished.then(a,a);a()},types:n});l.__reactViewTransition=u;var d=[];return u.ready.then(function(){for(var e=l.documentElement.getAnimations({subtree:!0}),t=0;t<e.length;t++){var n=e[t],r=n.effect,i=r.pseudoElement;if(i!=null&&i.startsWith(`::view-transition`)){d.push(n),n=r.getKeyframes();for(var a=i=void 0,s=!0,c=0;c<n.length;c++){var u=n[c],f=u.width;if(i===void 0)i=f;else if(i!==f){s=!1;break}if(f=u.height,a===void 0)a=f;else if(a!==f){s=!1;break}delete u.width,delete u.height,u.transform===`none`&&delete u.transform}s&&i!==void 0&&a!==void 0&&(r.setKeyframes(n),s=getComputedStyle(r.target,r.pseudoElement),s.width!==i||s.height!==a)&&(s=n[0],s.width=i,s.height=a,s=n[n.length-1],s.width=i,s.height=a,r.setKeyframes(n))}}o()},function(e){l.__reactViewTransition===u&&(l.__reactViewTransition=null);try{if(typeof e==`object`&&e)switch(e.name){case`InvalidStateError`:(e.message===`View transition was skipped because document visibility state is hidden.`||e.message===`Skipping view transition because document visibility state has become hidden.`||e.message===`Skipping view transition because viewport size changed.`||e.message===`Transition was aborted because of invalid state`)&&(e=null)}e!==null&&c(e)}finally{r(),i(),o()}}),u.finished.finally(function(){for(var e=0;e<d.length;e++)d[e].cancel();l.__reactViewTransition===u&&(l.__reactViewTransition=null),s()}),u}catch{return r(),i(),o(),null}}function Np(e,t){this._scope=document.documentElement,this._selector=`::view-transition-`+e+`(`+t+`)`}Np.prototype.animate=function(e,t){return t=typeof t==`number`?{duration:t}:x({},t),t.pseudoElement=this._selector,this._scope.animate(e,t)},Np.prototype.getAnimations=function(){for(var e=this._scope,t=this._selector,n=e.getAnimations({subtree:!0}),r=[],i=0;i<n.length;i++){var a=n[i].effect;a!==null&&a.target===e&&a.pseudoElement===t&&r.push(n[i])}return r},Np.prototype.getComputedStyle=function(){return getComputedStyle(this._scope,this._selector)};function Pp(e){return{name:e,group:new Np(`group`,e),imagePair:new Np(`image-pair`,e),old:new Np(`old`,e),new:new Np(`new`,e)}}function Fp(e){this._fragmentFiber=e,this._observers=this._eventListeners=null}Fp.prototype.addEventListener=function(e,t,n){var r=null,i=null;if(!(n!=null&&typeof n!=`boolean`&&(r=n.signal||null,r!==null&&r.aborted))){this._eventListeners===null&&(this._eventListeners=[]);var a=this._eventListeners;if(Bp(a,e,t,n)===-1){var o=this,s=t;n!=null&&typeof n!=`boolean`&&!0===n.once&&(s=function(r){o.removeEventListener(e,t,n),typeof t==`function`?t.call(this,r):t.handleEvent(r)}),r!==null&&(i=o.removeEventListener.bind(o,e,t,n),r.addEventListener(`abort`,i,{once:!0}),i=r.removeEventListener.bind(r,`abort`,i)),r=Rp(n),a.push({type:e,listener:t,optionsOrUseCapture:n,attachedListener:s,cleanup:i}),p(this._fragmentFiber.child,!1,Ip,e,s,r)}this._eventListeners=a}};function Ip(e,t,n,r){return v(e).addEventListener(t,n,r),!1}Fp.prototype.removeEventListener=function(e,t,n){var r=this._eventListeners;if(r!==null&&(t=Bp(r,e,t,n),t!==-1)){var i=r[t];n=i.attachedListener;var a=i.cleanup;i=Rp(i.optionsOrUseCapture),p(this._fragmentFiber.child,!1,Lp,e,n,i),r.splice(t,1),a!==null&&a()}};function Lp(e,t,n,r){return v(e).removeEventListener(t,n,r),!1}function Rp(e){return e!=null&&typeof e!=`boolean`&&(!0===e.once||e.signal instanceof AbortSignal)?{capture:e.capture,passive:e.passive}:e}function zp(e){return e==null?`c=0`:typeof e==`boolean`?`c=`+(e?`1`:`0`):`c=`+(e.capture?`1`:`0`)}function Bp(e,t,n,r){if(e.length===0)return-1;r=zp(r);for(var i=0;i<e.length;i++){var a=e[i];if(a.type===t&&a.listener===n&&zp(a.optionsOrUseCapture)===r)return i}return-1}Fp.prototype.dispatchEvent=function(e){var t=m(this._fragmentFiber);if(t===null)return!0;t=v(t);var n=this._eventListeners;if(n!==null&&0<n.length||!e.bubbles){var r=t.nodeType===9?t.createComment(``):document.createTextNode(``);if(n)for(var i=0;i<n.length;i++){var a=n[i];r.addEventListener(a.type,a.attachedListener,Rp(a.optionsOrUseCapture))}if(t.appendChild(r),e=r.dispatchEvent(e),n)for(i=0;i<n.length;i++)a=n[i],r.removeEventListener(a.type,a.attachedListener,Rp(a.optionsOrUseCapture));return t.removeChild(r),e}return t.dispatchEvent(e)},Fp.prototype.focus=function(e){p(this._fragmentFiber.child,!0,Vp,e,void 0,void 0)};function Vp(e,t){return e.tag!==6&&(e=v(e),pm(e,t))}Fp.prototype.focusLast=function(e){var t=[];p(this._fragmentFiber.child,!0,Hp,t,void 0,void 0);for(var n=t.length-1;0<=n&&!Vp(t[n],e);n--);};function Hp(e,t){return t.push(e),!1}Fp.prototype.blur=function(){var e=m(this._fragmentFiber);e!==null&&(e=v(e),e=lp(e).activeElement,e!==null&&p(this._fragmentFiber.child,!1,Up,e,void 0,void 0))};function Up(e,t){return e.tag!==6&&(e=v(e),e===t||e.contains(t)?(t.blur(),!0):!1)}Fp.prototype.observeUsing=function(e){this._observers===null&&(this._observers=new Set),this._observers.add(e),p(this._fragmentFiber.child,!1,Wp,e,void 0,void 0)};function Wp(e,t){return e.tag===6||(e=v(e),t.observe(e)),!1}Fp.prototype.unobserveUsing=function(e){var t=this._observers;if(t!==null&&t.has(e)){t.delete(e),p(this._fragmentFiber.child,!1,Gp,e,void 0,void 0);for(var n=t=0;n<Kp.length;n++){var r=Kp[n];r.fragmentInstance===this&&r.observer===e?e.unobserve(r.instance):Kp[t++]=r}Kp.length=t}};function Gp(e,t){return e.tag===6||(e=v(e),t.unobserve(e)),!1}var Kp=[],qp=!1;function Jp(e,t,n){Kp.push({fragmentInstance:e,observer:t,instance:n}),qp||(qp=!0,mm(function(){qp=!1;var e=Kp;Kp=[];for(var t=0;t<e.length;t++){var n=e[t];n.observer.unobserve(n.instance)}}))}Fp.prototype.getClientRects=function(){var e=[];return p(this._fragmentFiber.child,!1,Yp,e,void 0,void 0),e};function Yp(e,t){if(e.tag===6){e=e.stateNode;var n=e.ownerDocument.createRange();n.selectNodeContents(e),t.push.apply(t,n.getClientRects())}else e=v(e),t.push.apply(t,e.getClientRects());return!1}Fp.prototype.getRootNode=function(e){var t=m(this._fragmentFiber);return t===null?this:v(t).getRootNode(e)},Fp.prototype.compareDocumentPosition=function(e){var t=m(this._fragmentFiber);if(t===null)return Node.DOCUMENT_POSITION_DISCONNECTED;var n=[];p(this._fragmentFiber.child,!1,Hp,n,void 0,void 0);var r=v(t);if(n.length===0){if(n=r,h(this._fragmentFiber)){a:{for(t=this._fragmentFiber.return;t!==null;){if(t.tag===4){t=t.stateNode.containerInfo;break a}if(t.tag===3||t.tag===5||t.tag===27)break;t=t.return}t=null}t!=null&&(n=t)}t=this._fragmentFiber;var i=r=n.compareDocumentPosition(e);return n===e?i=Node.DOCUMENT_POSITION_CONTAINS:r&Node.DOCUMENT_POSITION_CONTAINED_BY&&(n=g(t)[1],n===null?i=Node.DOCUMENT_POSITION_PRECEDING:(e=v(n).compareDocumentPosition(e),i=e===0||e&Node.DOCUMENT_POSITION_FOLLOWING?Node.DOCUMENT_POSITION_FOLLOWING:Node.DOCUMENT_POSITION_PRECEDING)),i|=Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC}t=v(n[0]),i=v(n[n.length-1]);var a=h(this._fragmentFiber)?t.parentElement:r;if(a==null)return Node.DOCUMENT_POSITION_DISCONNECTED;r=a.compareDocumentPosition(t)&Node.DOCUMENT_POSITION_CONTAINED_BY,a=a.compareDocumentPosition(i)&Node.DOCUMENT_POSITION_CONTAINED_BY;var o=t.compareDocumentPosition(e),s=i.compareDocumentPosition(e),c=o&Node.DOCUMENT_POSITION_CONTAINED_BY||s&Node.DOCUMENT_POSITION_CONTAINED_BY;return s=r&&a&&o&Node.DOCUMENT_POSITION_FOLLOWING&&s&Node.DOCUMENT_POSITION_PRECEDING,t=r&&t===e||a&&i===e||c||s?Node.DOCUMENT_POSITION_CONTAINED_BY:!r&&t===e||!a&&i===e?Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC:o,t&Node.DOCUMENT_POSITION_DISCONNECTED||t&Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC||Xp(t,this._fragmentFiber,n[0],n[n.length-1],e)?t:Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC};function Xp(e,t,n,r,i){var a=Gt(i);if(e&Node.DOCUMENT_POSITION_CONTAINED_BY){if(n=!!a)a:{for(;a!==null;){if(a.tag===7&&(a===t||a.alternate===t)){n=!0;break a}a=a.return}n=!1}return n}if(e&Node.DOCUMENT_POSITION_CONTAINS){if(a===null)return a=i.ownerDocument,i===a||i===a.documentElement||i===a.body;a:{for(a=t,t=m(t);a!==null;){if(!(a.tag!==5&&a.tag!==3&&a.tag!==27||a!==t&&a.alternate!==t)){a=!0;break a}a=a.return}a=!1}return a}return e&Node.DOCUMENT_POSITION_PRECEDING?((t=!!a)&&!(t=a===n)&&(t=re(n,a,ne),t===null?t=!1:(p(t,!0,ee,a,n),a=y,y=null,t=a!==null)),t):e&Node.DOCUMENT_POSITION_FOLLOWING?((t=!!a)&&!(t=a===r)&&(t=re(r,a,ne),t===null?t=!1:(p(t,!0,te,a,r),a=y,b=y=null,t=a!==null)),t):!1}function Zp(e,t){var n=e.ownerDocument.createRange();n.selectNodeContents(e),e=n.getBoundingClientRect(),window.scrollTo(window.scrollX+e.left,t?window.scrollY+e.top:window.scrollY+e.bottom-window.innerHeight)}Fp.prototype.scrollIntoView=function(e){if(typeof e==`object`)throw Error(a(566));var t=[];p(this._fragmentFiber.child,!1,Hp,t,void 0,void 0);var n=!1!==e;if(t.length===0){var r=g(this._fragmentFiber);if(r=n?r[1]||r[0]||m(this._fragmentFiber):r[0]||r[1],r===null)return;if(r.tag===6){e=v(r),Zp(e,n);return}if(r=v(r),r.nodeType!==9){if(r.nodeType===11){n=`host`in r?r.host:null,n!==null&&n.scrollIntoView(e);return}r.scrollIntoView(e)}}for(r=n?t.length-1:0;r!==(n?-1:t.length);){var i=t[r];i.tag===6?(i=v(i),Zp(i,n)):v(i).scrollIntoView(e),r+=n?-1:1}};function Qp(e,t){return e=v(e),$p(e,t),!1}function $p(e,t){e.reactFragments??=new Set,e.reactFragments.add(t)}function em(e,t){var n=t._eventListeners;if(n!==null)for(var r=0;r<n.length;r++){var i=n[r];e.addEventListener(i.type,i.attachedListener,Rp(i.optionsOrUseCapture))}e.nodeType!==3&&(n=t._observers,n!==null&&n.forEach(function(n){for(var r=0,i=0;i<Kp.length;i++){var a=Kp[i];(a.fragmentInstance!==t||a.observer!==n||a.instance!==e)&&(Kp[r++]=a)}Kp.length=r,n.observe(e)}),$p(e,t))}function tm(e,t){var n=t._eventListeners;if(n!==null)for(var r=0;r<n.length;r++){var i=n[r];e.removeEventListener(i.type,i.attachedListener,Rp(i.optionsOrUseCapture))}e.nodeType!==3&&(n=t._observers,n!==null&&n.forEach(function(n){typeof n.rootMargin==`string`?Jp(t,n,e):n.unobserve(e)}),e.reactFragments!=null&&e.reactFragments.delete(t))}function nm(e){var t=e.firstChild;for(t&&t.nodeType===10&&(t=t.nextSibling);t;){var n=t;switch(t=t.nextSibling,n.nodeName){case`HTML`:case`HEAD`:case`BODY`:nm(n),Wt(n);continue;case`SCRIPT`:case`STYLE`:continue;case`LINK`:if(n.rel.toLowerCase()===`stylesheet`)continue}e.removeChild(n)}}function rm(e,t,n,r){for(;e.nodeType===1;){var i=n;if(e.nodeName.toLowerCase()!==t.toLowerCase()){if(!r&&(e.nodeName!==`INPUT`||e.type!==`hidden`))break}else if(!r){if(t===`input`&&e.type===`hidden`){var a=i.name==null?null:``+i.name;if(i.type===`hidden`&&e.getAttribute(`name`)===a)return e}else return e}else if(!e[Ht])switch(t){case`meta`:if(!e.hasAttribute(`itemprop`))break;return e;case`link`:if(a=e.getAttribute(`rel`),a===`stylesheet`&&e.hasAttribute(`data-precedence`)||a!==i.rel||e.getAttribute(`href`)!==(i.href==null||i.href===``?null:i.href)||e.getAttribute(`crossorigin`)!==(i.crossOrigin==null?null:i.crossOrigin)||e.getAttribute(`title`)!==(i.title==null?null:i.title))break;return e;case`style`:if(e.hasAttribute(`data-precedence`))break;return e;case`script`:if(a=e.getAttribute(`src`),(a!==(i.src==null?null:i.src)||e.getAttribute(`type`)!==(i.type==null?null:i.type)||e.getAttribute(`crossorigin`)!==(i.crossOrigin==null?null:i.crossOrigin))&&a&&e.hasAttribute(`async`)&&!e.hasAttribute(`itemprop`))break;return e;default:return e}if(e=lm(e.nextSibling),e===null)break}return null}function im(e,t,n){if(t===``)return null;for(;e.nodeType!==3;)if((e.nodeType!==1||e.nodeName!==`INPUT`||e.type!==`hidden`)&&!n||(e=lm(e.nextSibling),e===null))return null;return e}function am(e,t){for(;e.nodeType!==8;)if((e.nodeType!==1||e.nodeName!==`INPUT`||e.type!==`hidden`)&&!t||(e=lm(e.nextSibling),e===null))return null;return e}function om(e){return e.data===`$?`||e.data===`$~`}function sm(e){return e.data===`$!`||e.data===`$?`&&e.ownerDocument.readyState!==`loading`}function cm(e,t){var n=e.ownerDocument;if(e.data===`$~`)e._reactRetry=t;else if(e.data!==`$?`||n.readyState!==`loading`)t();else{var r=function(){t(),n.removeEventListener(`DOMContentLoaded`,r)};n.addEventListener(`DOMContentLoaded`,r),e._reactRetry=r}}function lm(e){for(;e!=null;e=e.nextSibling){var t=e.nodeType;if(t===1||t===3)break;if(t===8){if(t=e.data,t===`$`||t===`$!`||t===`$?`||t===`$~`||t===`&`||t===`F!`||t===`F`)break;if(t===`/$`||t===`/&`)return null}}return e}var um=null;function dm(e){e=e.nextSibling;for(var t=0;e;){if(e.nodeType===8){var n=e.data;if(n===`/$`||n===`/&`){if(t===0)return lm(e.nextSibling);t--}else n!==`$`&&n!==`$!`&&n!==`$?`&&n!==`$~`&&n!==`&`||t++}e=e.nextSibling}return null}function fm(e){e=e.previousSibling;for(var t=0;e;){if(e.nodeType===8){var n=e.data;if(n===`$`||n===`$!`||n===`$?`||n===`$~`||n===`&`){if(t===0)return e;t--}else n!==`/$`&&n!==`/&`||t++}e=e.previousSibling}return null}function pm(e,t){function n(){r=!0}if(e.ownerDocument.activeElement===e)return!0;var r=!1;try{e.ownerDocument.addEventListener(`focus`,n,!0),(e.focus||HTMLElement.prototype.focus).call(e,t)}finally{e.ownerDocument.removeEventListener(`focus`,n,!0)}return r}function mm(e){yp(function(){yp(function(t){return e(t)})})}function hm(e,t,n){switch(t=lp(n),e){case`html`:if(e=t.documentElement,!e)throw Error(a(452));return e;case`head`:if(e=t.head,!e)throw Error(a(453));return e;case`body`:if(e=t.body,!e)throw Error(a(454));return e;default:throw Error(a(451))}}function gm(e,t,n){for(var r in n){var i=n[r];n.hasOwnProperty(r)&&i!=null&&$(e,t,r,null,rp,i)}n.dangerouslySetInnerHTML!=null&&(e.textContent=``),e.onclick===An&&(e.onclick=null),Wt(e)}function _m(e){for(var t=e.attributes;t.length;)e.removeAttributeNode(t[0]);Wt(e)}var vm=new Map,ym=new Set;function bm(e){if(typeof e.getRootNode==`function`){var t=e.getRootNode();if(t.nodeType===9||t.nodeType===11)return t}return e.nodeType===9?e:e.ownerDocument}var xm=w.d;w.d={f:Sm,r:Cm,D:Em,C:Dm,L:Om,m:km,X:jm,S:Am,M:Mm};function Sm(){var e=xm.f(),t=zd();return e||t}function Cm(e){var t=Kt(e);t!==null&&t.tag===5&&t.type===`form`?cc(t):xm.r(e)}var wm=typeof document>`u`?null:document;function Tm(e,t,n){var r=wm;if(r&&typeof t==`string`&&t){var i=D(t);i=`link[rel="`+e+`"][href="`+i+`"]`,typeof n==`string`&&(i+=`[crossorigin="`+n+`"]`),ym.has(i)||(ym.add(i),e={rel:e,crossOrigin:n,href:t},r.querySelector(i)===null&&(t=r.createElement(`link`),np(t,`link`,e),Yt(t),r.head.appendChild(t)))}}function Em(e){xm.D(e),Tm(`dns-prefetch`,e,null)}function Dm(e,t){xm.C(e,t),Tm(`preconnect`,e,t)}function Om(e,t,n){xm.L(e,t,n);var r=wm;if(r&&e&&t){var i=`link[rel="preload"][as="`+D(t)+`"]`;t===`image`&&n&&n.imageSrcSet?(i+=`[imagesrcset="`+D(n.imageSrcSet)+`"]`,typeof n.imageSizes==`string`&&(i+=`[imagesizes="`+D(n.imageSizes)+`"]`)):i+=`[href="`+D(e)+`"]`;var a=i;switch(t){case`style`:a=Pm(e);break;case`script`:a=Rm(e)}if(!(vm.has(a)||(e=x({rel:`preload`,href:t===`image`&&n&&n.imageSrcSet?void 0:e,as:t},n),vm.set(a,e),r.querySelector(i)!==null||t===`style`&&r.querySelector(Fm(a))||t===`script`&&r.querySelector(zm(a))))){var o=r.createElement(`link`);np(o,`link`,e),t===`style`&&(o[Ut]=!0,o.onload=o.onerror=function(){Xt(o)}),Yt(o),r.head.appendChild(o)}}}function km(e,t){xm.m(e,t);var n=wm;if(n&&e){var r=t&&typeof t.as==`string`?t.as:`script`,i=`link[rel="modulepreload"][as="`+D(r)+`"][href="`+D(e)+`"]`,a=i;switch(r){case`audioworklet`:case`paintworklet`:case`serviceworker`:case`sharedworker`:case`worker`:case`script`:a=Rm(e)}if(!vm.has(a)&&(e=x({rel:`modulepreload`,href:e},t),vm.set(a,e),n.querySelector(i)===null)){switch(r){case`audioworklet`:case`paintworklet`:case`serviceworker`:case`sharedworker`:case`worker`:case`script`:if(n.querySelector(zm(a)))return}r=n.createElement(`link`),np(r,`link`,e),Yt(r),n.head.appendChild(r)}}}function Am(e,t,n){xm.S(e,t,n);var r=wm;if(r&&e){var i=Jt(r).hoistableStyles,a=Pm(e);t||=`default`;var o=i.get(a);if(!o){var s={loading:0,preload:null};if(o=r.querySelector(Fm(a)))s.loading=5;else{e=x({rel:`stylesheet`,href:e,"data-precedence":t},n),(n=vm.get(a))&&Hm(e,n);var c=o=r.createElement(`link`);Yt(c),np(c,`link`,e),c._p=new Promise(function(e,t){c.onload=e,c.onerror=t}),c.addEventListener(`load`,function(){s.loading|=1}),c.addEventListener(`error`,function(){s.loading|=2}),s.loading|=4,Vm(o,t,r)}o={type:`stylesheet`,instance:o,count:1,state:s},i.set(a,o)}}}function jm(e,t){xm.X(e,t);var n=wm;if(n&&e){var r=Jt(n).hoistableScripts,i=Rm(e),a=r.get(i);a||(a=n.querySelector(zm(i)),a||(e=x({src:e,async:!0},t),(t=vm.get(i))&&Um(e,t),a=n.createElement(`script`),Yt(a),np(a,`link`,e),n.head.appendChild(a)),a={type:`script`,instance:a,count:1,state:null},r.set(i,a))}}function Mm(e,t){xm.M(e,t);var n=wm;if(n&&e){var r=Jt(n).hoistableScripts,i=Rm(e),a=r.get(i);a||(a=n.querySelector(zm(i)),a||(e=x({src:e,async:!0,type:`module`},t),(t=vm.get(i))&&Um(e,t),a=n.createElement(`script`),Yt(a),np(a,`link`,e),n.head.appendChild(a)),a={type:`script`,instance:a,count:1,state:null},r.set(i,a))}}function Nm(e,t,n,r){var i=(i=Ne.current)?bm(i):null;if(!i)throw Error(a(446));switch(e){case`meta`:case`title`:return null;case`style`:return typeof n.precedence==`string`&&typeof n.href==`string`?(n=Pm(n.href),t=Jt(i).hoistableStyles,r=t.get(n),r||(r={type:`style`,instance:null,count:0,state:null},t.set(n,r)),r):{type:`void`,instance:null,count:0,state:null};case`link`:if(n.rel===`stylesheet`&&typeof n.href==`string`&&typeof n.precedence==`string`){e=Pm(n.href);var o=Jt(i).hoistableStyles,s=o.get(e);if(s||(i=i.ownerDocument||i,s={type:`stylesheet`,instance:null,count:0,state:{loading:0,preload:null}},o.set(e,s),(o=i.querySelector(Fm(e)))?o._p||(s.instance=o,s.state.loading=5):(o=vm.get(e),o||(o={rel:`preload`,as:`style`,href:n.href,crossOrigin:n.crossOrigin,integrity:n.integrity,media:n.media,hrefLang:n.hrefLang,referrerPolicy:n.referrerPolicy},vm.set(e,o)),Lm(i,e,o,s.state))),t&&r===null)throw Error(a(528,``));return s}if(t&&r!==null)throw Error(a(529,``));return null;case`script`:return t=n.async,n=n.src,typeof n==`string`&&t&&typeof t!=`function`&&typeof t!=`symbol`?(n=Rm(n),t=Jt(i).hoistableScripts,r=t.get(n),r||(r={type:`script`,instance:null,count:0,state:null},t.set(n,r)),r):{type:`void`,instance:null,count:0,state:null};default:throw Error(a(444,e))}}function Pm(e){return`href="`+D(e)+`"`}function Fm(e){return`link[rel="stylesheet"][`+e+`]`}function Im(e){return x({},e,{"data-precedence":e.precedence,precedence:null})}function Lm(e,t,n,r){if(t=e.querySelector(`link[rel="preload"][as="style"][`+t+`]`)){if(!0!==t[Ut]){r.loading=1;return}}else t=e.createElement(`link`),t[Ut]=!0,t.onload=t.onerror=Xt.bind(null,t),np(t,`link`,n),Yt(t),e.head.appendChild(t);r.preload=t,t.addEventListener(`load`,function(){return r.loading|=1}),t.addEventListener(`error`,function(){return r.loading|=2})}function Rm(e){return`[src="`+D(e)+`"]`}function zm(e){return`script[async]`+e}function Bm(e,t,n){if(t.count++,t.instance===null)switch(t.type){case`style`:var r=e.querySelector(`style[data-href~="`+D(n.href)+`"]`);if(r)return t.instance=r,Yt(r),r;var i=x({},n,{"data-href":n.href,"data-precedence":n.precedence,href:null,precedence:null});return r=(e.ownerDocument||e).createElement(`style`),Yt(r),np(r,`style`,i),Vm(r,n.precedence,e),t.instance=r;case`stylesheet`:i=Pm(n.href);var o=e.querySelector(Fm(i));if(o)return t.state.loading|=4,t.instance=o,Yt(o),o;r=Im(n),(i=vm.get(i))&&Hm(r,i),o=(e.ownerDocument||e).createElement(`link`),Yt(o);var s=o;return s._p=new Promise(function(e,t){s.onload=e,s.onerror=t}),np(o,`link`,r),t.state.loading|=4,Vm(o,n.precedence,e),t.instance=o;case`script`:return o=Rm(n.src),(i=e.querySelector(zm(o)))?(t.instance=i,Yt(i),i):(r=n,(i=vm.get(o))&&(r=x({},n),Um(r,i)),e=e.ownerDocument||e,i=e.createElement(`script`),Yt(i),np(i,`link`,r),e.head.appendChild(i),t.instance=i);case`void`:return null;default:throw Error(a(443,t.type))}else t.type===`stylesheet`&&!(t.state.loading&4)&&(r=t.instance,t.state.loading|=4,Vm(r,n.precedence,e));return t.instance}function Vm(e,t,n){for(var r=n.querySelectorAll(`link[rel="stylesheet"][data-precedence],style[data-precedence]`),i=r.length?r[r.length-1]:null,a=i,o=0;o<r.length;o++){var s=r[o];if(s.dataset.precedence===t)a=s;else if(a!==i)break}a?a.parentNode.insertBefore(e,a.nextSibling):(t=n.nodeType===9?n.head:n,t.insertBefore(e,t.firstChild))}function Hm(e,t){e.crossOrigin??=t.crossOrigin,e.referrerPolicy??=t.referrerPolicy,e.title??=t.title}function Um(e,t){e.crossOrigin??=t.crossOrigin,e.referrerPolicy??=t.referrerPolicy,e.integrity??=t.integrity}var Wm=null;function Gm(e,t,n){if(Wm===null){var r=new Map,i=Wm=new Map;i.set(n,r)}else i=Wm,r=i.get(n),r||(r=new Map,i.set(n,r));if(r.has(e))return r;for(r.set(e,null),n=n.getElementsByTagName(e),i=0;i<n.length;i++){var a=n[i];if(!(a[Ht]||a[Ft]||e===`link`&&a.getAttribute(`rel`)===`stylesheet`)&&a.namespaceURI!==`http://www.w3.org/2000/svg`){var o=a.getAttribute(t)||``;o=e+o;var s=r.get(o);s?s.push(a):r.set(o,[a])}}return r}function Km(e,t,n){e=e.ownerDocument||e,e.head.insertBefore(n,t===`title`?e.querySelector(`head > title`):null)}function qm(e,t,n){if(n===1||t.itemProp!=null)return!1;switch(e){case`meta`:case`title`:return!0;case`style`:if(typeof t.precedence!=`string`||typeof t.href!=`string`||t.href===``)break;return!0;case`link`:if(typeof t.rel!=`string`||typeof t.href!=`string`||t.href===``||t.onLoad||t.onError)break;switch(t.rel){case`stylesheet`:return e=t.disabled,typeof t.precedence==`string`&&e==null;default:return!0}case`script`:if(t.async&&typeof t.async!=`function`&&typeof t.async!=`symbol`&&!t.onLoad&&!t.onError&&t.src&&typeof t.src==`string`)return!0}return!1}function Jm(e,t){return e===`img`&&t.src!=null&&t.src!==``&&t.onLoad==null&&t.loading!==`lazy`}function Ym(e){return!(e.type===`stylesheet`&&!(e.state.loading&3))}function Xm(e){return(e.width||100)*(e.height||100)*(typeof devicePixelRatio==`number`?devicePixelRatio:1)*.25}function Zm(e,t){typeof t.decode==`function`&&(e.imgCount++,t.complete||(e.imgBytes+=Xm(t),e.suspenseyImages.push(t)),e=rh.bind(e),t.decode().then(e,e))}function Qm(e,t,n,r){if(n.type===`stylesheet`&&(typeof r.media!=`string`||!1!==matchMedia(r.media).matches)&&!(n.state.loading&4)){if(n.instance===null){var i=Pm(r.href),a=t.querySelector(Fm(i));if(a){t=a._p,typeof t==`object`&&t&&typeof t.then==`function`&&(e.count++,e=nh.bind(e),t.then(e,e)),n.state.loading|=4,n.instance=a,Yt(a);return}a=t.ownerDocument||t,r=Im(r),(i=vm.get(i))&&Hm(r,i),a=a.createElement(`link`),Yt(a);var o=a;o._p=new Promise(function(e,t){o.onload=e,o.onerror=t}),np(a,`link`,r),n.instance=a}e.stylesheets===null&&(e.stylesheets=new Map),e.stylesheets.set(n,t),(t=n.state.preload)&&!(n.state.loading&3)&&(e.count++,n=nh.bind(e),t.addEventListener(`load`,n),t.addEventListener(`error`,n))}}var $m=0;function eh(e,t){return e.stylesheets&&e.count===0&&ah(e,e.stylesheets),0<e.count||0<e.imgCount?function(n){var r=setTimeout(function(){if(e.stylesheets&&ah(e,e.stylesheets),e.unsuspend){var t=e.unsuspend;e.unsuspend=null,t()}},6e4+t);0<e.imgBytes&&$m===0&&($m=62500*op());var i=setTimeout(function(){if(e.waitingForImages=!1,e.count===0&&(e.stylesheets&&ah(e,e.stylesheets),e.unsuspend)){var t=e.unsuspend;e.unsuspend=null,t()}},(e.imgBytes>$m?50:800)+t);return e.unsuspend=n,function(){e.unsuspend=null,clearTimeout(r),clearTimeout(i)}}:null}function th(e){if(e.count===0&&(e.imgCount===0||!e.waitingForImages)){if(e.stylesheets)ah(e,e.stylesheets);else if(e.unsuspend){var t=e.unsuspend;e.unsuspend=null,t()}}}function nh(){this.count--,th(this)}function rh(){this.imgCount--,th(this)}var ih=null;function ah(e,t){e.stylesheets=null,e.unsuspend!==null&&(e.count++,ih=new Map,t.forEach(oh,e),ih=null,nh.call(e))}function oh(e,t){if(!(t.state.loading&4)){var n=ih.get(e);if(n)var r=n.get(null);else{n=new Map,ih.set(e,n);for(var i=e.querySelectorAll(`link[data-precedence],style[data-precedence]`),a=0;a<i.length;a++){var o=i[a];(o.nodeName===`LINK`||o.getAttribute(`media`)!==`not all`)&&(n.set(o.dataset.precedence,o),r=o)}r&&n.set(null,r)}i=t.instance,o=i.getAttribute(`data-precedence`),a=n.get(o)||r,a===r&&n.set(null,i),n.set(o,i),this.count++,r=nh.bind(this),i.addEventListener(`load`,r),i.addEventListener(`error`,r),a?a.parentNode.insertBefore(i,a.nextSibling):(e=e.nodeType===9?e.head:e,e.insertBefore(i,e.firstChild)),t.state.loading|=4}}var sh={$$typeof:de,Provider:null,Consumer:null,_currentValue:Ee,_currentValue2:Ee,_threadCount:0};function ch(e,t,n,r,i,a,o,s,c){this.tag=1,this.containerInfo=e,this.pingCache=this.current=this.pendingChildren=null,this.timeoutHandle=-1,this.callbackNode=this.next=this.pendingContext=this.context=this.cancelPendingCommit=null,this.callbackPriority=0,this.expirationTimes=wt(-1),this.entangledLanes=this.shellSuspendCounter=this.errorRecoveryDisabledLanes=this.expiredLanes=this.warmLanes=this.pingedLanes=this.suspendedLanes=this.pendingLanes=0,this.entanglements=wt(0),this.hiddenUpdates=wt(null),this.identifierPrefix=r,this.onUncaughtError=i,this.onCaughtError=a,this.onRecoverableError=o,this.pooledCache=null,this.pooledCacheLanes=0,this.formState=c,this.transitionTypes=null,this.incompleteTransitions=new Map}function lh(e,t,n,r,i,a,o,s,c,l,u,d){return e=new ch(e,t,n,o,c,l,u,d,s),t=1,!0===a&&(t|=24),a=Wi(3,null,null,t),e.current=a,a.stateNode=e,t=Va(),t.refCount++,e.pooledCache=t,t.refCount++,a.memoizedState={element:r,isDehydrated:n,cache:t},wo(a),e}function uh(e){return e?(e=Hi,e):Hi}function dh(e,t,n,r,i,a){i=uh(i),r.context===null?r.context=i:r.pendingContext=i,r=Eo(t),r.payload={element:n},a=a===void 0?null:a,a!==null&&(r.callback=a),n=Do(e,r,t),n!==null&&(Pd(n,e,t),Oo(n,e,t))}function fh(e,t){if(e=e.memoizedState,e!==null&&e.dehydrated!==null){var n=e.retryLane;e.retryLane=n!==0&&n<t?n:t}}function ph(e,t){fh(e,t),(e=e.alternate)&&fh(e,t)}function mh(e){if(e.tag===13||e.tag===31){var t=zi(e,67108864);t!==null&&Pd(t,e,67108864),ph(e,67108864)}}function hh(e){if(e.tag===13||e.tag===31){var t=jd();t=At(t);var n=zi(e,t);n!==null&&Pd(n,e,t),ph(e,t)}}var gh=!0;function _h(e,t,n,r){var i=C.T;C.T=null;var a=w.p;try{w.p=2,yh(e,t,n,r)}finally{w.p=a,C.T=i}}function vh(e,t,n,r){var i=C.T;C.T=null;var a=w.p;try{w.p=8,yh(e,t,n,r)}finally{w.p=a,C.T=i}}function yh(e,t,n,r){if(gh){var i=bh(r);if(i===null)Kf(e,t,r,xh,n),Mh(e,r);else if(Ph(i,e,t,n,r))r.stopPropagation();else if(Mh(e,r),t&4&&-1<jh.indexOf(e)){for(;i!==null;){var a=Kt(i);if(a!==null)switch(a.tag){case 3:if(a=a.stateNode,a.current.memoizedState.isDehydrated){var o=_t(a.pendingLanes);if(o!==0){var s=a;for(s.pendingLanes|=2,s.entangledLanes|=2;o;){var c=1<<31-lt(o);s.entanglements[1]|=c,o&=~c}Ef(a),!(W&6)&&(_d=Ze()+500,Df(0,!1))}}break;case 31:case 13:s=zi(a,2),s!==null&&Pd(s,a,2),zd(),ph(a,2)}if(a=bh(r),a===null&&Kf(e,t,r,xh,n),a===i)break;i=a}i!==null&&r.stopPropagation()}else Kf(e,t,r,null,n)}}function bh(e){return e=Mn(e),Sh(e)}var xh=null;function Sh(e){if(xh=null,e=Gt(e),e!==null){var t=s(e);if(t===null)e=null;else{var n=t.tag;if(n===13){if(e=c(t),e!==null)return e;e=null}else if(n===31){if(e=l(t),e!==null)return e;e=null}else if(n===3){if(t.stateNode.current.memoizedState.isDehydrated)return t.tag===3?t.stateNode.containerInfo:null;e=null}else t!==e&&(e=null)}}return xh=e,null}function Ch(e){switch(e){case`beforetoggle`:case`cancel`:case`click`:case`close`:case`contextmenu`:case`copy`:case`cut`:case`auxclick`:case`dblclick`:case`dragend`:case`dragstart`:case`drop`:case`focusin`:case`focusout`:case`input`:case`invalid`:case`keydown`:case`keypress`:case`keyup`:case`mousedown`:case`mouseup`:case`paste`:case`pause`:case`play`:case`pointercancel`:case`pointerdown`:case`pointerup`:case`ratechange`:case`reset`:case`seeked`:case`submit`:case`toggle`:case`touchcancel`:case`touchend`:case`touchstart`:case`volumechange`:case`change`:case`selectionchange`:case`textInput`:case`compositionstart`:case`compositionend`:case`compositionupdate`:case`beforeblur`:case`afterblur`:case`beforeinput`:case`blur`:case`fullscreenchange`:case`fullscreenerror`:case`focus`:case`hashchange`:case`popstate`:case`select`:case`selectstart`:return 2;case`drag`:case`dragenter`:case`dragexit`:case`dragleave`:case`dragover`:case`mousemove`:case`mouseout`:case`mouseover`:case`pointermove`:case`pointerout`:case`pointerover`:case`resize`:case`scroll`:case`touchmove`:case`wheel`:case`mouseenter`:case`mouseleave`:case`pointerenter`:case`pointerleave`:return 8;case`message`:switch(Qe()){case $e:return 2;case et:return 8;case tt:case nt:return 32;case rt:return 268435456;default:return 32}default:return 32}}var wh=!1,Th=null,Eh=null,Dh=null,Oh=new Map,kh=new Map,Ah=[],jh=`mousedown mouseup touchcancel touchend touchstart auxclick dblclick pointercancel pointerdown pointerup dragend dragstart drop compositionend compositionstart keydown keypress keyup input textInput copy cut paste click change contextmenu reset`.split(` `);function Mh(e,t){switch(e){case`focusin`:case`focusout`:Th=null;break;case`dragenter`:case`dragleave`:Eh=null;break;case`mouseover`:case`mouseout`:Dh=null;break;case`pointerover`:case`pointerout`:Oh.delete(t.pointerId);break;case`gotpointercapture`:case`lostpointercapture`:kh.delete(t.pointerId)}}function Nh(e,t,n,r,i,a){return e===null||e.nativeEvent!==a?(e={blockedOn:t,domEventName:n,eventSystemFlags:r,nativeEvent:a,targetContainers:[i]},t!==null&&(t=Kt(t),t!==null&&mh(t)),e):(e.eventSystemFlags|=r,t=e.targetContainers,i!==null&&t.indexOf(i)===-1&&t.push(i),e)}function Ph(e,t,n,r,i){switch(t){case`focusin`:return Th=Nh(Th,e,t,n,r,i),!0;case`dragenter`:return Eh=Nh(Eh,e,t,n,r,i),!0;case`mouseover`:return Dh=Nh(Dh,e,t,n,r,i),!0;case`pointerover`:var a=i.pointerId;return Oh.set(a,Nh(Oh.get(a)||null,e,t,n,r,i)),!0;case`gotpointercapture`:return a=i.pointerId,kh.set(a,Nh(kh.get(a)||null,e,t,n,r,i)),!0}return!1}function Fh(e){var t=Gt(e.target);if(t!==null){var n=s(t);if(n!==null){if(t=n.tag,t===13){if(t=c(n),t!==null){e.blockedOn=t,Nt(e.priority,function(){hh(n)});return}}else if(t===31){if(t=l(n),t!==null){e.blockedOn=t,Nt(e.priority,function(){hh(n)});return}}else if(t===3&&n.stateNode.current.memoizedState.isDehydrated){e.blockedOn=n.tag===3?n.stateNode.containerInfo:null;return}}}e.blockedOn=null}function Ih(e){if(e.blockedOn!==null)return!1;for(var t=e.targetContainers;0<t.length;){var n=bh(e.nativeEvent);if(n===null){n=e.nativeEvent;var r=new n.constructor(n.type,n);jn=r,n.target.dispatchEvent(r),jn=null}else return t=Kt(n),t!==null&&mh(t),e.blockedOn=n,!1;t.shift()}return!0}function Lh(e,t,n){Ih(e)&&n.delete(t)}function Rh(){wh=!1,Th!==null&&Ih(Th)&&(Th=null),Eh!==null&&Ih(Eh)&&(Eh=null),Dh!==null&&Ih(Dh)&&(Dh=null),Oh.forEach(Lh),kh.forEach(Lh)}function zh(e,n){e.blockedOn===n&&(e.blockedOn=null,wh||(wh=!0,t.unstable_scheduleCallback(t.unstable_NormalPriority,Rh)))}var Bh=null;function Vh(e){Bh!==e&&(Bh=e,t.unstable_scheduleCallback(t.unstable_NormalPriority,function(){Bh===e&&(Bh=null);for(var t=0;t<e.length;t+=3){var n=e[t],r=e[t+1],i=e[t+2];if(typeof r!=`function`){if(Sh(r||n)===null)continue;break}var a=Kt(n);a!==null&&(e.splice(t,3),t-=3,oc(a,{pending:!0,data:i,method:n.method,action:r},r,i))}}))}function Hh(e){function t(t){return zh(t,e)}Th!==null&&zh(Th,e),Eh!==null&&zh(Eh,e),Dh!==null&&zh(Dh,e),Oh.forEach(t),kh.forEach(t);for(var n=0;n<Ah.length;n++){var r=Ah[n];r.blockedOn===e&&(r.blockedOn=null)}for(;0<Ah.length&&(n=Ah[0],n.blockedOn===null);)Fh(n),n.blockedOn===null&&Ah.shift();if(n=(e.ownerDocument||e).$$reactFormReplay,n!=null)for(r=0;r<n.length;r+=3){var i=n[r],a=n[r+1],o=i[It]||null;if(typeof a==`function`)o||Vh(n);else if(o){var s=null;if(a&&a.hasAttribute(`formAction`)){if(i=a,o=a[It]||null)s=o.formAction;else if(Sh(i)!==null)continue}else s=o.action;typeof s==`function`?n[r+1]=s:(n.splice(r,3),r-=3),Vh(n)}}}function Uh(){function e(e){e.canIntercept&&e.info===`react-transition`&&e.intercept({handler:function(){return new Promise(function(e){return i=e})},focusReset:`manual`,scroll:`manual`})}function t(){i!==null&&(i(),i=null),r||setTimeout(n,20)}function n(){if(!r&&!navigation.transition){var e=navigation.currentEntry;e&&e.url!=null&&navigation.navigate(e.url,{state:e.getState(),info:`react-transition`,history:`replace`})}}if(typeof navigation==`object`){var r=!1,i=null;return navigation.addEventListener(`navigate`,e),navigation.addEventListener(`navigatesuccess`,t),navigation.addEventListener(`navigateerror`,t),setTimeout(n,100),function(){r=!0,navigation.removeEventListener(`navigate`,e),navigation.removeEventListener(`navigatesuccess`,t),navigation.removeEventListener(`navigateerror`,t),i!==null&&(i(),i=null)}}}function Wh(e){this._internalRoot=e}Gh.prototype.render=Wh.prototype.render=function(e){var t=this._internalRoot;if(t===null)throw Error(a(409));var n=t.current;dh(n,jd(),e,t,null,null)},Gh.prototype.unmount=Wh.prototype.unmount=function(){var e=this._internalRoot;if(e!==null){this._internalRoot=null;var t=e.containerInfo;dh(e.current,2,null,e,null,null),zd(),t[Lt]=null}};function Gh(e){this._internalRoot=e}Gh.prototype.unstable_scheduleHydration=function(e){if(e){var t=Mt();e={blockedOn:null,target:e,priority:t};for(var n=0;n<Ah.length&&t!==0&&t<Ah[n].priority;n++);Ah.splice(n,0,e),n===0&&Fh(e)}};var Kh=n.version;if(Kh!==`19.3.1`)throw Error(a(527,Kh,`19.3.1`));w.findDOMNode=function(e){var t=e._reactInternals;if(t===void 0)throw typeof e.render==`function`?Error(a(188)):(e=Object.keys(e).join(`,`),Error(a(268,e)));return e=d(t),e=e===null?null:f(e),e=e===null?null:e.stateNode,e};var qh={bundleType:0,version:`19.3.1`,rendererPackageName:`react-dom`,currentDispatcherRef:C,reconcilerVersion:`19.3.1`};if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`){var Jh=__REACT_DEVTOOLS_GLOBAL_HOOK__;if(!Jh.isDisabled&&Jh.supportsFiber)try{ot=Jh.inject(qh),st=Jh}catch{}}e.createRoot=function(e,t){if(!o(e))throw Error(a(299));var n=!1,r=``,i=kc,s=Ac,c=jc;return t!=null&&(!0===t.unstable_strictMode&&(n=!0),t.identifierPrefix!==void 0&&(r=t.identifierPrefix),t.onUncaughtError!==void 0&&(i=t.onUncaughtError),t.onCaughtError!==void 0&&(s=t.onCaughtError),t.onRecoverableError!==void 0&&(c=t.onRecoverableError)),t=lh(e,1,!1,null,null,n,r,null,i,s,c,Uh),e[Lt]=t.current,Wf(e),new Wh(t)}})),bt=t(((e,t)=>{function n(){if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`&&typeof __REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE==`function`)try{__REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE(n)}catch(e){console.error(e)}}n(),t.exports=yt()}))(),xt=class extends Error{code;fields;requestId;constructor(e,t,n=[],r=null){super(e),this.code=t,this.fields=n,this.requestId=r}},St=new Set;function Ct(e){return St.add(e),()=>{St.delete(e)}}function wt(e){for(let t of St)t(e)}var Tt=()=>Promise.resolve(!1);function Et(e){Tt=e}async function Dt(e,t,n){try{return await jt(e,t,n)}catch(r){if(!(r instanceof xt)||r.code!==`password_required`||!await Tt())throw r;return jt(e,t,n)}}function Ot(e,t){fetch(`/graphql`,{...kt,body:At(e,t),keepalive:!0}).catch(()=>void 0)}var kt={method:`POST`,credentials:`same-origin`,headers:{"Content-Type":`application/json`,Accept:`application/json`}},At=(e,t)=>JSON.stringify({query:e.toString(),operationName:Pt(e),variables:t});async function jt(e,t,n){let r=await Mt(At(e,t),n),i=r.body.errors?.[0];if(i)throw Nt(i,r.requestId);if(!r.body.data)throw new xt(`The server returned no data.`,`internal`,[],r.requestId);return r.body.data}async function Mt(e,t){let n;try{n=await fetch(`/graphql`,{...kt,body:e,signal:t})}catch(e){throw t?.aborted?e:(wt(`away`),new xt(`The server cannot be reached. What you typed is still here. Try again in a moment.`,`offline`))}let r=n.headers.get(`X-Request-Id`),i=await n.text();try{let e=JSON.parse(i);if(!e.data&&!e.errors)throw SyntaxError(`neither data nor errors`);return wt(`back`),{body:e,requestId:r}}catch{throw n.status>=502&&n.status<=504&&wt(`away`),new xt(n.status===429?`Too many requests. Wait a moment and try again.`:`The server returned status ${n.status}. Try again in a moment.`,n.status===429?`rate_limited`:`unavailable`,[],r)}}function Nt(e,t){let{code:n=`internal`,fields:r=[],request_id:i}=e.extensions??{};return n===`unauthorized`&&wt(`signed-out`),new xt(e.message,n,r,i??t)}function Pt(e){return/(?:query|mutation) (\w+)/.exec(e.toString())?.[1]??``}var Ft=[`offline`,`unavailable`,`rate_limited`,`unauthorized`],It=3;function Lt(e,t){let n=e instanceof xt?e.code:`internal`;return Ft.includes(n)||n===`internal`&&t<It}async function Rt(e,t,n,{wait:r=2e3,most:i=1/0}={}){let a=new Map;for(let o=null,s=0;;){let c;try{c=await e(o,n)}catch(e){if(n.aborted||!Lt(e,s++))throw e;await new Promise(e=>setTimeout(e,r));continue}s=0;for(let e of c.nodes)a.set(e.id,e);if(t(a.size),!c.nextCursor||a.size>=i)return[...a.values()];o=c.nextCursor}}function zt(e,t,n,r){let i=e.pageParams.indexOf(t),a=i<0?null:Bt(e,i,n);if(!a)return e;let o=[...e.pages.slice(0,i),n],s=e.pageParams.slice(0,i+1),c=e.pages.slice(a.page+1),l=e.pages[a.page],u=l?.nodes.slice(a.row+1)??[],[d]=c;u.length>0&&d&&u.length+d.nodes.length<=r?c=[{nodes:[...u,...d.nodes],nextCursor:d.nextCursor},...c.slice(1)]:u.length>0&&(c=[{nodes:u,nextCursor:l?.nextCursor},...c]),c.forEach((e,t)=>{s.push((t===0?n:c[t-1])?.nextCursor??null),o.push(e)});let f={pages:o,pageParams:s};return Vt(e,f,i)?e:f}function Bt(e,t,n){let r={page:e.pages.length-1,row:1/0};if(!n.nextCursor)return r;let i=e.pages.findIndex((e,r)=>r>=t&&e.nextCursor===n.nextCursor);if(i>=0)return{page:i,row:1/0};for(let{id:r}of n.nodes.toReversed())for(let n=t;n<e.pages.length;n++){let t=e.pages[n]?.nodes.findIndex(e=>e.id===r)??-1;if(t>=0)return{page:n,row:t}}return t===r.page?r:null}function Vt(e,t,n){let r=e=>JSON.stringify([e.pages.slice(n,n+2),e.pageParams.slice(n,n+2)]);return e.pages.length===t.pages.length&&r(e)===r(t)}function Ht(e,t,n){let r=[null],i=0;return e?.pages.forEach((a,o)=>{let s=i+a.nodes.length;o>0&&i<=n&&s>t&&r.length<=3&&r.push(e.pageParams[o]??null),i=s}),r}var Ut=5e3,Wt=15e3,Gt=!1,Kt=new Set([`Replies`,`Reply`,`OpenReplies`,`Waiting`,`WaitingAnswers`,`Messages`,`Overview`,`Attention`,`MailStatuses`]),qt=new Set([`Enrollments`,`EnrollmentCounts`,`CampaignStats`,`MailStatus`,`Prospect`]);function Jt(e){Gt=e}var Yt=150,Xt=!1,Zt=0,Qt=e=>Zt+=e;function $t(){Xt||(Xt=!0,setTimeout(()=>{Xt=!1,Zt>0||(nn.invalidateQueries({predicate:({queryKey:[e,t]})=>(e===`one`||e===`fresh`)&&(Kt.has(String(t))||qt.has(String(t)))}),mn(`Enrollments`))},Yt))}function en(e){nn.invalidateQueries({predicate:({queryKey:[t,n,r]})=>t===`one`&&n===`Writers`&&(e.includes(`*`)||e.includes(r.replyId))})}var tn=(e,t)=>t===5e3&&Gt&&Kt.has(e)?Wt:t,nn=new Qe({defaultOptions:{queries:{networkMode:`always`,retry:!1,staleTime:2e3,gcTime:6e5},mutations:{networkMode:`always`,retry:!1}}}),rn=e=>e?.code===`offline`||e?.code===`unavailable`;function an(e,t,n){nn.setQueryData([`one`,Pt(e),t],n)}function E(e,t,{live:n=Ut,enabled:r=!0,keep:i=!1}={}){return ft({queryKey:[`one`,Pt(e),t],queryFn:({signal:n})=>Dt(e,t,n),refetchInterval:({state:t})=>rn(t.error)?Ut:tn(Pt(e),n),enabled:r,placeholderData:i?e=>e:void 0})}function on(e,t,n,r){return ut({queries:Array.from({length:Math.ceil(t.length/n)},(e,r)=>({ids:t.slice(r*n,(r+1)*n)})).map(t=>({queryKey:[`one`,Pt(e),t],queryFn:({signal:n})=>Dt(e,t,n),refetchInterval:r})),combine:e=>({answers:e.flatMap(({data:e})=>e?[e]:[]),whole:e.every(({data:e})=>e)})})}function sn(e,t){let n=Pt(e);nn.invalidateQueries({predicate:({queryKey:[e,r,i]})=>e===`one`&&r===n&&i.ids.some(e=>t.includes(e))})}function cn(e,t,n,{most:r=1e3,enabled:i=!0,live:a=!1}={}){return ft({queryKey:[`all`,Pt(e),n],queryFn:({signal:i})=>Rt(async(r,i)=>t(await Dt(e,{...n,first:100,after:r},i)),()=>void 0,i,{most:r}),staleTime:a===!1?6e4:2e3,refetchInterval:({state:e})=>rn(e.error)?Ut:a,enabled:i})}function ln(e,t,n,{live:r=Ut,enabled:i=!0,size:a=100}={}){let o=u(),c=Pt(e),l=JSON.stringify(n),d=(0,s.useMemo)(()=>[`pages`,c,l,a],[c,l,a]),f=async(r,i)=>t(await Dt(e,{...n,first:a,after:r},i)),p=mt({queryKey:d,initialPageParam:null,enabled:i,queryFn:({pageParam:e,signal:t})=>f(e,t),getNextPageParam:e=>e.nextCursor??void 0,staleTime:1/0,structuralSharing:!1,refetchInterval:({state:e})=>e.data===void 0&&rn(e.error)?Ut:!1}),m=(0,s.useRef)([0,0]),h=(0,s.useCallback)((e,t)=>{m.current=[e,t]},[]),g=ft({queryKey:[`fresh`,...d.slice(1)],queryFn:({signal:e})=>{let t=Ht(o.getQueryData(d),...m.current);return Promise.all(t.map(async t=>({after:t,page:await f(t,e)})))},refetchInterval:()=>tn(c,r),enabled:i&&p.isSuccess});return(0,s.useEffect)(()=>{o.setQueryData(d,e=>e&&g.data?.reduce((e,{after:t,page:n})=>zt(e,t,n,a),e))},[g.data,d,a,o]),{rows:(0,s.useMemo)(()=>p.data?p.data.pages.flatMap(e=>e.nodes):[],[p.data]),loading:p.isPending,error:p.error??null,more:p.hasNextPage,fetchingMore:p.isFetchingNextPage,fetchMore:()=>{p.hasNextPage&&!p.isFetchingNextPage&&p.fetchNextPage()},look:h,retry:()=>void(p.isFetchNextPageError?p.fetchNextPage():p.refetch())}}function un(e){nn.setQueriesData({queryKey:[`pages`]},t=>t?.pages.some(t=>t.nodes.some(({id:t})=>t===e.id))?{...t,pages:t.pages.map(t=>({...t,nodes:t.nodes.map(t=>t.id===e.id?{...t,...e}:t)}))}:t)}function dn(e,t,n){for(let{queryKey:r,state:i}of nn.getQueryCache().findAll({queryKey:[`pages`,e]})){let e=i.data,[a,...o]=e?.pages??[];e&&a&&n(JSON.parse(String(r[2])))&&(e.pages.some(e=>e.nodes.some(({id:e})=>e===t.id))||nn.setQueryData(r,{...e,pages:[{...a,nodes:[t,...a.nodes]},...o]}))}}function fn(e,...t){let n=new Set(t);nn.setQueriesData({queryKey:[`pages`,e]},e=>e&&{...e,pages:e.pages.map(e=>({...e,nodes:e.nodes.filter(({id:e})=>!n.has(e))}))})}function pn(){return nn.invalidateQueries({predicate:({queryKey:e})=>e[0]!==`pages`&&e[0]!==`all`})}function mn(e){nn.invalidateQueries({queryKey:[`all`,e]})}function hn(e,t){return pt({mutationFn:t=>Dt(e,t),onSuccess:e=>{t?.(e),pn()}})}var D=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}},gn=new D(`
    query Campaigns($first: Int!, $after: String, $status: CampaignStatus, $search: String) {
  campaigns(first: $first, after: $after, status: $status, search: $search) {
    nodes {
      id
      name
      status
      notSendingReason
      timezone
      sendDays
      sendFrom
      sendUntil
      skipDates
      startsOn
      endsOn
      dailyNewLimit
      companyDailyLimit
      createdAt
      mailboxIds
      steps {
        id
      }
    }
    nextCursor
  }
}
    `),_n=new D(`
    query CampaignNames($first: Int!, $search: String) {
  campaigns(first: $first, search: $search) {
    nodes {
      ...CampaignName
    }
    nextCursor
  }
}
    fragment CampaignName on Campaign {
  id
  name
  status
}`),vn=new D(`
    query CampaignName($id: UUID!) {
  campaign(id: $id) {
    ...CampaignName
  }
}
    fragment CampaignName on Campaign {
  id
  name
  status
}`),yn=new D(`
    query Campaign($id: UUID!) {
  campaign(id: $id) {
    ...CampaignFields
  }
}
    fragment CampaignFields on Campaign {
  id
  name
  status
  notSendingReason
  timezone
  sendDays
  sendFrom
  sendUntil
  skipDates
  startsOn
  endsOn
  dailyNewLimit
  companyDailyLimit
  stopOnReply
  stopCompanyOnReply
  trackClicks
  trackOpens
  mailboxIds
  createdAt
  revision
  steps {
    id
    delayMinutes
    subject
    bodyHtml
    bodyText
  }
}`),bn=new D(`
    query CampaignStats($id: UUID!) {
  campaignStats(id: $id) {
    prospects
    active
    held
    statuses {
      status
      prospects
    }
    sent
    replied
    positive
    clicked
    bounced
    unsubscribed
    opens
  }
}
    `),xn=new D(`
    query CampaignReport($id: UUID!, $days: Int!) {
  campaignReport(id: $id, days: $days) {
    contacted
    steps {
      step
      sent
      bounced
      clicked
      replied
      positive
      unsubscribed
    }
    days {
      date
      sent
      replied
      positive
      bounced
      opens
    }
  }
}
    `),Sn=new D(`
    query CampaignWaiting($id: UUID!) {
  campaignWaiting(id: $id) {
    step
    people
    since
  }
}
    `),Cn=new D(`
    query CampaignPeople($campaignId: UUID!, $first: Int!, $after: String) {
  prospects(first: $first, after: $after, campaignId: $campaignId) {
    nodes {
      ...ProspectFields
    }
    nextCursor
  }
}
    fragment ProspectRow on Prospect {
  id
  email
  firstName
  lastName
  companyName
  companyId
  jobTitle
  status
  interest
  lastContactedAt
  lastRepliedAt
  createdAt
}
fragment ProspectFields on Prospect {
  ...ProspectRow
  phone
  website
  linkedinUrl
  timezone
  customFields
}`),wn=new D(`
    query CampaignsStats($ids: [UUID!]!) {
  campaignsStats(ids: $ids) {
    campaignId
    prospects
    active
    held
    sent
    replied
  }
}
    `),Tn=new D(`
    query PreviewStep($input: PreviewInput!) {
  previewStep(input: $input) {
    subject
    html
    text
    missing
    error
  }
}
    `),En=new D(`
    mutation SendTestStep($input: TestStepInput!) {
  sendTestStep(input: $input) {
    recipient
    subject
    outcome
    command
    smtpResponse
    durationMs
  }
}
    `),Dn=new D(`
    mutation CreateCampaign($input: CampaignInput!) {
  createCampaign(input: $input) {
    ...CampaignFields
  }
}
    fragment CampaignFields on Campaign {
  id
  name
  status
  notSendingReason
  timezone
  sendDays
  sendFrom
  sendUntil
  skipDates
  startsOn
  endsOn
  dailyNewLimit
  companyDailyLimit
  stopOnReply
  stopCompanyOnReply
  trackClicks
  trackOpens
  mailboxIds
  createdAt
  revision
  steps {
    id
    delayMinutes
    subject
    bodyHtml
    bodyText
  }
}`),On=new D(`
    mutation UpdateCampaign($id: UUID!, $input: CampaignInput!, $basedOn: String!) {
  updateCampaign(id: $id, input: $input, basedOn: $basedOn) {
    ...CampaignFields
  }
}
    fragment CampaignFields on Campaign {
  id
  name
  status
  notSendingReason
  timezone
  sendDays
  sendFrom
  sendUntil
  skipDates
  startsOn
  endsOn
  dailyNewLimit
  companyDailyLimit
  stopOnReply
  stopCompanyOnReply
  trackClicks
  trackOpens
  mailboxIds
  createdAt
  revision
  steps {
    id
    delayMinutes
    subject
    bodyHtml
    bodyText
  }
}`),kn=new D(`
    mutation DuplicateCampaign($id: UUID!) {
  duplicateCampaign(id: $id) {
    ...CampaignFields
  }
}
    fragment CampaignFields on Campaign {
  id
  name
  status
  notSendingReason
  timezone
  sendDays
  sendFrom
  sendUntil
  skipDates
  startsOn
  endsOn
  dailyNewLimit
  companyDailyLimit
  stopOnReply
  stopCompanyOnReply
  trackClicks
  trackOpens
  mailboxIds
  createdAt
  revision
  steps {
    id
    delayMinutes
    subject
    bodyHtml
    bodyText
  }
}`),An=new D(`
    mutation DeleteCampaign($id: UUID!) {
  deleteCampaign(id: $id)
}
    `),jn=new D(`
    mutation ActivateCampaign($id: UUID!) {
  activateCampaign(id: $id) {
    ...CampaignFields
  }
}
    fragment CampaignFields on Campaign {
  id
  name
  status
  notSendingReason
  timezone
  sendDays
  sendFrom
  sendUntil
  skipDates
  startsOn
  endsOn
  dailyNewLimit
  companyDailyLimit
  stopOnReply
  stopCompanyOnReply
  trackClicks
  trackOpens
  mailboxIds
  createdAt
  revision
  steps {
    id
    delayMinutes
    subject
    bodyHtml
    bodyText
  }
}`),Mn=new D(`
    mutation PauseCampaign($id: UUID!) {
  pauseCampaign(id: $id) {
    ...CampaignFields
  }
}
    fragment CampaignFields on Campaign {
  id
  name
  status
  notSendingReason
  timezone
  sendDays
  sendFrom
  sendUntil
  skipDates
  startsOn
  endsOn
  dailyNewLimit
  companyDailyLimit
  stopOnReply
  stopCompanyOnReply
  trackClicks
  trackOpens
  mailboxIds
  createdAt
  revision
  steps {
    id
    delayMinutes
    subject
    bodyHtml
    bodyText
  }
}`),Nn=new D(`
    mutation ArchiveCampaign($id: UUID!) {
  archiveCampaign(id: $id) {
    ...CampaignFields
  }
}
    fragment CampaignFields on Campaign {
  id
  name
  status
  notSendingReason
  timezone
  sendDays
  sendFrom
  sendUntil
  skipDates
  startsOn
  endsOn
  dailyNewLimit
  companyDailyLimit
  stopOnReply
  stopCompanyOnReply
  trackClicks
  trackOpens
  mailboxIds
  createdAt
  revision
  steps {
    id
    delayMinutes
    subject
    bodyHtml
    bodyText
  }
}`),Pn=new D(`
    query CampaignContinuation($id: UUID!) {
  campaignContinuation(id: $id) {
    continued
    refused
    steps {
      step
      people
      nextSendAt
    }
  }
}
    `),Fn=new D(`
    mutation ContinueFinished($id: UUID!) {
  continueFinished(id: $id) {
    campaign {
      ...CampaignFields
    }
    continued
  }
}
    fragment CampaignFields on Campaign {
  id
  name
  status
  notSendingReason
  timezone
  sendDays
  sendFrom
  sendUntil
  skipDates
  startsOn
  endsOn
  dailyNewLimit
  companyDailyLimit
  stopOnReply
  stopCompanyOnReply
  trackClicks
  trackOpens
  mailboxIds
  createdAt
  revision
  steps {
    id
    delayMinutes
    subject
    bodyHtml
    bodyText
  }
}`),In=new D(`
    query CheckPeople($campaignId: UUID!, $prospectIds: [UUID!]!) {
  checkPeople(campaignId: $campaignId, prospectIds: $prospectIds) {
    ...PeopleCheckFields
  }
}
    fragment PeopleCheckFields on PeopleCheck {
  people
  ready
  findings {
    cause
    variable
    detail
    people {
      id
      email
    }
  }
}`),Ln=new D(`
    query CheckCampaign($id: UUID!, $after: String) {
  checkCampaign(id: $id, after: $after) {
    nextCursor
    check {
      ...PeopleCheckFields
    }
  }
}
    fragment PeopleCheckFields on PeopleCheck {
  people
  ready
  findings {
    cause
    variable
    detail
    people {
      id
      email
    }
  }
}`),Rn=new D(`
    query Companies($first: Int!, $after: String, $temperature: Temperature, $search: String) {
  companies(
    first: $first
    after: $after
    temperature: $temperature
    search: $search
  ) {
    nodes {
      ...CompanyFields
    }
    nextCursor
  }
}
    fragment CompanyFields on Company {
  id
  name
  domain
  temperature
  temperatureReason
  prospectCount
  createdAt
}`),zn=new D(`
    query Company($id: UUID!) {
  company(id: $id) {
    ...CompanyFields
  }
}
    fragment CompanyFields on Company {
  id
  name
  domain
  temperature
  temperatureReason
  prospectCount
  createdAt
}`),Bn=new D(`
    query SendingDomains($first: Int!, $after: String) {
  sendingDomains(first: $first, after: $after) {
    nodes {
      ...SendingDomainFields
    }
    nextCursor
  }
}
    fragment RecordFields on RecordCheck {
  result
  detail
  record
  publish {
    type
    name
    value
  }
}
fragment SendingDomainFields on SendingDomain {
  id
  domain
  state
  mx {
    ...RecordFields
  }
  spf {
    ...RecordFields
  }
  dkim {
    ...RecordFields
  }
  dmarc {
    ...RecordFields
  }
  dmarcPolicy
  failingSince
  checkedAt
}`),Vn=new D(`
    mutation CheckSendingDomain($id: UUID!) {
  checkSendingDomain(id: $id) {
    ...SendingDomainFields
  }
}
    fragment RecordFields on RecordCheck {
  result
  detail
  record
  publish {
    type
    name
    value
  }
}
fragment SendingDomainFields on SendingDomain {
  id
  domain
  state
  mx {
    ...RecordFields
  }
  spf {
    ...RecordFields
  }
  dkim {
    ...RecordFields
  }
  dmarc {
    ...RecordFields
  }
  dmarcPolicy
  failingSince
  checkedAt
}`),Hn=new D(`
    query LastPlacements {
  lastPlacementChecks {
    ...PlacementFields
  }
}
    fragment PlacementFields on PlacementCheck {
  id
  mailboxId
  toMailboxId
  status
  folder
  authentication {
    spf
    dkim
    dmarc
  }
  seconds
  detail
  createdAt
}`),Un=new D(`
    mutation CheckPlacement($id: UUID!, $to: UUID!) {
  checkPlacement(id: $id, input: {toMailboxId: $to}) {
    ...PlacementFields
  }
}
    fragment PlacementFields on PlacementCheck {
  id
  mailboxId
  toMailboxId
  status
  folder
  authentication {
    spf
    dkim
    dmarc
  }
  seconds
  detail
  createdAt
}`),Wn=new D(`
    query Enrollments($first: Int!, $after: String, $campaignId: UUID, $prospectId: UUID, $status: EnrollmentStatus, $search: String) {
  enrollments(
    first: $first
    after: $after
    campaignId: $campaignId
    prospectId: $prospectId
    status: $status
    search: $search
  ) {
    nodes {
      ...EnrollmentFields
    }
    nextCursor
  }
}
    fragment EnrollmentFields on Enrollment {
  id
  campaignId
  prospectId
  mailboxId
  status
  stopReason
  holdReason
  holdUntil
  unknownMessageId
  nextStep
  nextSendAt
  createdAt
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
    status
  }
}`),Gn=new D(`
    query EnrollmentCounts($campaignId: UUID!, $search: String) {
  enrollmentCounts(campaignId: $campaignId, search: $search) {
    status
    prospects
  }
}
    `),Kn=new D(`
    query Enrollment($id: UUID!) {
  enrollment(id: $id) {
    ...EnrollmentFields
  }
}
    fragment EnrollmentFields on Enrollment {
  id
  campaignId
  prospectId
  mailboxId
  status
  stopReason
  holdReason
  holdUntil
  unknownMessageId
  nextStep
  nextSendAt
  createdAt
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
    status
  }
}`),qn=new D(`
    mutation Enroll($input: EnrollInput!) {
  enroll(input: $input) {
    enrollment {
      ...EnrollmentFields
    }
    prospectCreated
    enrollmentCreated
  }
}
    fragment EnrollmentFields on Enrollment {
  id
  campaignId
  prospectId
  mailboxId
  status
  stopReason
  holdReason
  holdUntil
  unknownMessageId
  nextStep
  nextSendAt
  createdAt
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
    status
  }
}`),Jn=new D(`
    mutation BulkEnroll($input: BulkEnrollInput!) {
  bulkEnroll(input: $input) {
    results {
      index
      outcome
      refusal {
        code
        message
      }
    }
  }
}
    `),Yn=new D(`
    mutation StopEnrollment($id: UUID!) {
  stopEnrollment(id: $id) {
    ...EnrollmentFields
  }
}
    fragment EnrollmentFields on Enrollment {
  id
  campaignId
  prospectId
  mailboxId
  status
  stopReason
  holdReason
  holdUntil
  unknownMessageId
  nextStep
  nextSendAt
  createdAt
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
    status
  }
}`),Xn=new D(`
    mutation RestoreEnrollments($ids: [UUID!]!) {
  restoreEnrollments(ids: $ids)
}
    `),Zn=new D(`
    mutation PauseEnrollment($id: UUID!) {
  pauseEnrollment(id: $id) {
    ...EnrollmentFields
  }
}
    fragment EnrollmentFields on Enrollment {
  id
  campaignId
  prospectId
  mailboxId
  status
  stopReason
  holdReason
  holdUntil
  unknownMessageId
  nextStep
  nextSendAt
  createdAt
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
    status
  }
}`),Qn=new D(`
    query EnrollmentContinuation($id: UUID!) {
  enrollmentContinuation(id: $id) {
    step
    nextSendAt
    needsForce
    refusal {
      code
      message
    }
  }
}
    `),$n=new D(`
    mutation ResumeEnrollment($id: UUID!, $input: EnrollmentResume) {
  resumeEnrollment(id: $id, input: $input) {
    ...EnrollmentFields
  }
}
    fragment EnrollmentFields on Enrollment {
  id
  campaignId
  prospectId
  mailboxId
  status
  stopReason
  holdReason
  holdUntil
  unknownMessageId
  nextStep
  nextSendAt
  createdAt
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
    status
  }
}`),er=new D(`
    query Replies($first: Int!, $after: String, $campaignId: UUID, $mailboxId: UUID, $interest: Interest, $automatic: Boolean, $done: Boolean, $prospectId: UUID, $unmatched: Boolean, $assignedTo: UUID, $unassigned: Boolean, $snoozed: Boolean) {
  replies(
    first: $first
    after: $after
    campaignId: $campaignId
    mailboxId: $mailboxId
    interest: $interest
    automatic: $automatic
    done: $done
    prospectId: $prospectId
    unmatched: $unmatched
    assignedTo: $assignedTo
    unassigned: $unassigned
    snoozed: $snoozed
  ) {
    nodes {
      ...ReplyFields
    }
    nextCursor
  }
}
    fragment ReplyFields on Reply {
  id
  prospectId
  campaignId
  mailboxId
  messageId
  from
  answerTo
  subject
  text
  abridged
  interest
  interestReason
  automatic
  receivedAt
  attachments {
    id
    filename
    contentType
    size
  }
  done
  assignedTo
  snoozedUntil
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
  }
}`),tr=new D(`
    query FoundMail($first: Int!, $after: String, $search: String!) {
  mail(first: $first, after: $after, search: $search) {
    nodes {
      id
      kind
      replyId
      prospectId
      who
      subject
      excerpt
      at
    }
    nextCursor
  }
}
    `),nr=new D(`
    query Reply($id: UUID!) {
  reply(id: $id) {
    ...ReplyFields
  }
}
    fragment ReplyFields on Reply {
  id
  prospectId
  campaignId
  mailboxId
  messageId
  from
  answerTo
  subject
  text
  abridged
  interest
  interestReason
  automatic
  receivedAt
  attachments {
    id
    filename
    contentType
    size
  }
  done
  assignedTo
  snoozedUntil
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
  }
}`),rr=new D(`
    query Messages($first: Int!, $after: String, $campaignId: UUID, $prospectId: UUID, $status: MessageStatus) {
  messages(
    first: $first
    after: $after
    campaignId: $campaignId
    prospectId: $prospectId
    status: $status
  ) {
    nodes {
      id
      external
      campaignId
      prospectId
      mailboxId
      step
      subject
      messageId
      status
      smtpResponse
      sentAt
      text
      campaign {
        id
        name
      }
    }
    nextCursor
  }
}
    `),ir=new D(`
    query Message($id: UUID!) {
  message(id: $id) {
    id
    campaignId
    prospectId
    mailboxId
    step
    subject
    messageId
    status
    smtpResponse
    sentAt
    text
    prospect {
      id
      email
    }
    campaign {
      id
      name
    }
  }
}
    `),ar=new D(`
    mutation UpdateReply($id: UUID!, $input: ReplyInput!) {
  updateReply(id: $id, input: $input) {
    ...ReplyFields
  }
}
    fragment ReplyFields on Reply {
  id
  prospectId
  campaignId
  mailboxId
  messageId
  from
  answerTo
  subject
  text
  abridged
  interest
  interestReason
  automatic
  receivedAt
  attachments {
    id
    filename
    contentType
    size
  }
  done
  assignedTo
  snoozedUntil
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
  }
}`),or=new D(`
    mutation MarkRepliesDone($ids: [UUID!]!, $done: Boolean!) {
  markRepliesDone(ids: $ids, done: $done)
}
    `),sr=new D(`
    mutation AssignConversations($ids: [UUID!]!, $memberId: UUID) {
  assignConversations(ids: $ids, memberId: $memberId)
}
    `),cr=new D(`
    mutation SnoozeConversations($ids: [UUID!]!, $until: Time) {
  snoozeConversations(ids: $ids, until: $until)
}
    `),lr=new D(`
    mutation WakeConversations($ids: [UUID!]!) {
  wakeConversations(ids: $ids)
}
    `),ur=new D(`
    mutation AssignReply($id: UUID!, $prospectId: UUID!) {
  assignReply(id: $id, input: {prospectId: $prospectId}) {
    ...ReplyFields
  }
}
    fragment ReplyFields on Reply {
  id
  prospectId
  campaignId
  mailboxId
  messageId
  from
  answerTo
  subject
  text
  abridged
  interest
  interestReason
  automatic
  receivedAt
  attachments {
    id
    filename
    contentType
    size
  }
  done
  assignedTo
  snoozedUntil
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
  }
}`),dr=new D(`
    mutation DismissReply($id: UUID!) {
  dismissReply(id: $id) {
    ...ReplyFields
  }
}
    fragment ReplyFields on Reply {
  id
  prospectId
  campaignId
  mailboxId
  messageId
  from
  answerTo
  subject
  text
  abridged
  interest
  interestReason
  automatic
  receivedAt
  attachments {
    id
    filename
    contentType
    size
  }
  done
  assignedTo
  snoozedUntil
  prospect {
    id
    email
    firstName
    lastName
    companyName
  }
  campaign {
    id
    name
  }
}`),fr=new D(`
    mutation ResolveMessage($id: UUID!, $as: Resolution!) {
  resolveMessage(id: $id, input: {as: $as}) {
    id
    status
  }
}
    `),pr=new D(`
    query ReplyWhole($id: UUID!) {
  reply(id: $id) {
    fullText
  }
}
    `),mr=new D(`
    query WaitingAnswers($prospectId: UUID!) {
  waitingAnswers(prospectId: $prospectId) {
    nodes {
      ...AnswerFields
    }
  }
}
    fragment AnswerFields on Message {
  id
  mailboxId
  replyId
  to
  cc
  subject
  status
  smtpResponse
  sendAt
  bodyHtml
  text
}`),hr=new D(`
    query AnswerDraft($replyId: UUID!) {
  answerDraft(replyId: $replyId) {
    replyId
    subject
    bodyHtml
    cc
    updatedAt
  }
}
    `),gr=new D(`
    query Writers($replyId: UUID!) {
  writers(replyId: $replyId) {
    email
  }
}
    `),_r=new D(`
    mutation AnswerReply($id: UUID!, $input: AnswerInput!) {
  answerReply(id: $id, input: $input) {
    ...AnswerFields
  }
}
    fragment AnswerFields on Message {
  id
  mailboxId
  replyId
  to
  cc
  subject
  status
  smtpResponse
  sendAt
  bodyHtml
  text
}`),vr=new D(`
    mutation WithdrawAnswer($id: UUID!) {
  withdrawAnswer(id: $id)
}
    `),yr=new D(`
    mutation SaveAnswerDraft($replyId: UUID!, $input: AnswerDraftInput!) {
  saveAnswerDraft(replyId: $replyId, input: $input) {
    updatedAt
  }
}
    `),br=new D(`
    mutation DeleteAnswerDraft($replyId: UUID!) {
  deleteAnswerDraft(replyId: $replyId)
}
    `),xr=new D(`
    query MailKept {
  me {
    mailKeptFrom
  }
}
    `),Sr=new D(`
    query Mailboxes {
  mailboxes {
    nodes {
      ...MailboxFields
    }
  }
}
    fragment ServerFields on MailServer {
  host
  port
  username
  security
}
fragment MailboxFields on Mailbox {
  id
  email
  displayName
  provider
  auth
  smtp {
    ...ServerFields
  }
  imap {
    ...ServerFields
  }
  dailyLimit
  minGapSeconds
  rampUp {
    start
    increase
  }
  limitToday
  signatureHtml
  folders
  status
  lastError
  authError
  sentToday
  lastCheckedAt
  createdAt
}`),Cr=new D(`
    query MailboxesForExport($first: Int!, $after: String) {
  mailboxes(first: $first, after: $after) {
    nodes {
      ...MailboxFields
      ...MailboxActivity
    }
    nextCursor
  }
}
    fragment ServerFields on MailServer {
  host
  port
  username
  security
}
fragment MailboxFields on Mailbox {
  id
  email
  displayName
  provider
  auth
  smtp {
    ...ServerFields
  }
  imap {
    ...ServerFields
  }
  dailyLimit
  minGapSeconds
  rampUp {
    start
    increase
  }
  limitToday
  signatureHtml
  folders
  status
  lastError
  authError
  sentToday
  lastCheckedAt
  createdAt
}
fragment MailboxActivity on Mailbox {
  id
  health {
    warning
  }
  activity {
    attempted
    bounced
    replied
    lastSentAt
  }
}`),wr=new D(`
    query Mailbox($id: UUID!) {
  mailbox(id: $id) {
    ...MailboxFields
  }
}
    fragment ServerFields on MailServer {
  host
  port
  username
  security
}
fragment MailboxFields on Mailbox {
  id
  email
  displayName
  provider
  auth
  smtp {
    ...ServerFields
  }
  imap {
    ...ServerFields
  }
  dailyLimit
  minGapSeconds
  rampUp {
    start
    increase
  }
  limitToday
  signatureHtml
  folders
  status
  lastError
  authError
  sentToday
  lastCheckedAt
  createdAt
}`),Tr=new D(`
    mutation CreateMailbox($input: MailboxInput!) {
  createMailbox(input: $input) {
    ...MailboxFields
  }
}
    fragment ServerFields on MailServer {
  host
  port
  username
  security
}
fragment MailboxFields on Mailbox {
  id
  email
  displayName
  provider
  auth
  smtp {
    ...ServerFields
  }
  imap {
    ...ServerFields
  }
  dailyLimit
  minGapSeconds
  rampUp {
    start
    increase
  }
  limitToday
  signatureHtml
  folders
  status
  lastError
  authError
  sentToday
  lastCheckedAt
  createdAt
}`),Er=new D(`
    mutation UpdateMailbox($id: UUID!, $input: MailboxInput!) {
  updateMailbox(id: $id, input: $input) {
    ...MailboxFields
  }
}
    fragment ServerFields on MailServer {
  host
  port
  username
  security
}
fragment MailboxFields on Mailbox {
  id
  email
  displayName
  provider
  auth
  smtp {
    ...ServerFields
  }
  imap {
    ...ServerFields
  }
  dailyLimit
  minGapSeconds
  rampUp {
    start
    increase
  }
  limitToday
  signatureHtml
  folders
  status
  lastError
  authError
  sentToday
  lastCheckedAt
  createdAt
}`),Dr=new D(`
    mutation DeleteMailbox($id: UUID!) {
  deleteMailbox(id: $id)
}
    `),Or=new D(`
    mutation PauseMailbox($id: UUID!) {
  pauseMailbox(id: $id) {
    ...MailboxFields
  }
}
    fragment ServerFields on MailServer {
  host
  port
  username
  security
}
fragment MailboxFields on Mailbox {
  id
  email
  displayName
  provider
  auth
  smtp {
    ...ServerFields
  }
  imap {
    ...ServerFields
  }
  dailyLimit
  minGapSeconds
  rampUp {
    start
    increase
  }
  limitToday
  signatureHtml
  folders
  status
  lastError
  authError
  sentToday
  lastCheckedAt
  createdAt
}`),kr=new D(`
    mutation ResumeMailbox($id: UUID!) {
  resumeMailbox(id: $id) {
    ...MailboxFields
  }
}
    fragment ServerFields on MailServer {
  host
  port
  username
  security
}
fragment MailboxFields on Mailbox {
  id
  email
  displayName
  provider
  auth
  smtp {
    ...ServerFields
  }
  imap {
    ...ServerFields
  }
  dailyLimit
  minGapSeconds
  rampUp {
    start
    increase
  }
  limitToday
  signatureHtml
  folders
  status
  lastError
  authError
  sentToday
  lastCheckedAt
  createdAt
}`),Ar=new D(`
    mutation CheckMailbox($id: UUID!) {
  checkMailbox(id: $id) {
    ...MailboxFields
  }
}
    fragment ServerFields on MailServer {
  host
  port
  username
  security
}
fragment MailboxFields on Mailbox {
  id
  email
  displayName
  provider
  auth
  smtp {
    ...ServerFields
  }
  imap {
    ...ServerFields
  }
  dailyLimit
  minGapSeconds
  rampUp {
    start
    increase
  }
  limitToday
  signatureHtml
  folders
  status
  lastError
  authError
  sentToday
  lastCheckedAt
  createdAt
}`),jr=new D(`
    query MailProviders {
  mailProviders {
    provider
    missing
  }
}
    `),Mr=new D(`
    mutation ConnectMailbox($input: ConnectionAttemptInput!) {
  createMailboxConnection(input: $input) {
    authorizeUrl
  }
}
    `),Nr=new D(`
    query MailServers($email: String!) {
  mailServers(email: $email) {
    provider
    providerName
    password
    smtp {
      ...FoundServerFields
    }
    imap {
      ...FoundServerFields
    }
    tried {
      protocol
      host
      port
      source
      failure
    }
  }
}
    fragment FoundServerFields on FoundServer {
  host
  port
  security
}`),Pr=new D(`
    query HealthOfMailboxes {
  mailboxes {
    nodes {
      id
      health {
        ...HealthFields
      }
      activity {
        days {
          date
          attempted
          bounced
          complained
        }
      }
    }
  }
}
    fragment HealthFields on MailboxHealth {
  attempted
  bounced
  complained
  bounceBound
  complaintBound
  warning
}`),Fr=new D(`
    query ActivityOfMailboxes {
  mailboxes {
    nodes {
      ...MailboxActivity
    }
  }
}
    fragment MailboxActivity on Mailbox {
  id
  health {
    warning
  }
  activity {
    attempted
    bounced
    replied
    lastSentAt
  }
}`),Ir=new D(`
    query Offers($first: Int!, $after: String, $status: OfferStatus) {
  offers(first: $first, after: $after, status: $status) {
    nodes {
      ...OfferFields
    }
    nextCursor
  }
}
    fragment OfferFields on Offer {
  id
  title
  targetUrl
  bodyHtml
  prospectId
  companyId
  campaignId
  url
  status
  visitCount
  firstReadAt
  lastReadAt
  createdAt
}`),Lr=new D(`
    query Offer($id: UUID!) {
  offer(id: $id) {
    ...OfferFields
  }
}
    fragment OfferFields on Offer {
  id
  title
  targetUrl
  bodyHtml
  prospectId
  companyId
  campaignId
  url
  status
  visitCount
  firstReadAt
  lastReadAt
  createdAt
}`),Rr=new D(`
    mutation CreateOffer($input: OfferInput!) {
  createOffer(input: $input) {
    ...OfferFields
  }
}
    fragment OfferFields on Offer {
  id
  title
  targetUrl
  bodyHtml
  prospectId
  companyId
  campaignId
  url
  status
  visitCount
  firstReadAt
  lastReadAt
  createdAt
}`),zr=new D(`
    mutation UpdateOffer($id: UUID!, $input: OfferInput!) {
  updateOffer(id: $id, input: $input) {
    ...OfferFields
  }
}
    fragment OfferFields on Offer {
  id
  title
  targetUrl
  bodyHtml
  prospectId
  companyId
  campaignId
  url
  status
  visitCount
  firstReadAt
  lastReadAt
  createdAt
}`),Br=new D(`
    mutation DeleteOffer($id: UUID!) {
  deleteOffer(id: $id)
}
    `),Vr=new D(`
    query Overview($days: Int!) {
  ...OverviewFields
}
    fragment OverviewFields on Query {
  overview(days: $days) {
    days {
      date
      sent
      replied
      positive
      bounced
      opens
    }
    totals {
      sent
      replied
      positive
      bounced
      clicked
      unsubscribed
      opens
    }
    previous {
      sent
      replied
      positive
      bounced
      clicked
      unsubscribed
      opens
    }
    notSendingReason
    sentLastHour
    unreadReplies
    setup {
      mailbox
      prospects
      campaign
      trackingDomain
      webhook
    }
  }
}`),Hr=new D(`
    query Attention {
  ...AttentionFields
}
    fragment AttentionFields on Query {
  attention {
    kind
    subjectId
    title
    detail
    since
  }
}`),Ur=new D(`
    query Waiting {
  waitingReplies
  sendingOff
}
    `),Wr=new D(`
    query Capacity {
  ...CapacityFields
}
    fragment CapacityFields on Query {
  mailboxes {
    nodes {
      id
      email
      status
      authError
      sentToday
      limitToday
    }
  }
}`),Gr=new D(`
    query OpenReplies {
  ...OpenRepliesFields
}
    fragment OpenRepliesFields on Query {
  replies(first: 100, done: false, automatic: false, snoozed: false) {
    nodes {
      id
      interest
    }
  }
  positive: replies(
    first: 5
    interest: positive
    done: false
    automatic: false
    snoozed: false
  ) {
    nodes {
      ...OpenReplyFields
    }
  }
  newest: replies(first: 5, done: false, automatic: false, snoozed: false) {
    nodes {
      ...OpenReplyFields
    }
  }
}
fragment OpenReplyFields on Reply {
  id
  from
  subject
  text
  interest
  receivedAt
  prospect {
    email
    firstName
    lastName
    companyName
  }
}`),Kr=new D(`
    query Prospects($first: Int!, $after: String, $status: ProspectStatus, $campaignId: UUID, $companyId: UUID, $createdSince: Time, $search: String) {
  prospects(
    first: $first
    after: $after
    status: $status
    campaignId: $campaignId
    companyId: $companyId
    createdSince: $createdSince
    search: $search
  ) {
    nodes {
      ...ProspectRow
    }
    nextCursor
  }
}
    fragment ProspectRow on Prospect {
  id
  email
  firstName
  lastName
  companyName
  companyId
  jobTitle
  status
  interest
  lastContactedAt
  lastRepliedAt
  createdAt
}`),qr=new D(`
    query Prospect($id: UUID!) {
  prospect(id: $id) {
    ...ProspectFields
  }
}
    fragment ProspectRow on Prospect {
  id
  email
  firstName
  lastName
  companyName
  companyId
  jobTitle
  status
  interest
  lastContactedAt
  lastRepliedAt
  createdAt
}
fragment ProspectFields on Prospect {
  ...ProspectRow
  phone
  website
  linkedinUrl
  timezone
  customFields
}`),Jr=new D(`
    query MailStatus($prospectId: UUID!) {
  mailStatus(prospectId: $prospectId) {
    ...MailStatusFields
  }
}
    fragment MailStatusFields on MailStatus {
  prospectId
  state
  reason
  at
  suppression {
    id
    email
    domain
    createdAt
  }
}`),Yr=new D(`
    query MailStatuses($ids: [UUID!]!) {
  mailStatuses(prospectIds: $ids) {
    ...MailStatusFields
  }
}
    fragment MailStatusFields on MailStatus {
  prospectId
  state
  reason
  at
  suppression {
    id
    email
    domain
    createdAt
  }
}`),Xr=new D(`
    query History($prospectId: UUID!, $first: Int!, $after: String) {
  history(prospectId: $prospectId, first: $first, after: $after) {
    nodes {
      id
      type
      occurredAt
      campaignId
      campaignName
      metadata
    }
    nextCursor
  }
}
    `),Zr=new D(`
    mutation CreateProspect($input: ProspectInput!) {
  createProspect(input: $input) {
    ...ProspectFields
  }
}
    fragment ProspectRow on Prospect {
  id
  email
  firstName
  lastName
  companyName
  companyId
  jobTitle
  status
  interest
  lastContactedAt
  lastRepliedAt
  createdAt
}
fragment ProspectFields on Prospect {
  ...ProspectRow
  phone
  website
  linkedinUrl
  timezone
  customFields
}`),Qr=new D(`
    mutation UpdateProspect($id: UUID!, $input: ProspectInput!) {
  updateProspect(id: $id, input: $input) {
    ...ProspectFields
  }
}
    fragment ProspectRow on Prospect {
  id
  email
  firstName
  lastName
  companyName
  companyId
  jobTitle
  status
  interest
  lastContactedAt
  lastRepliedAt
  createdAt
}
fragment ProspectFields on Prospect {
  ...ProspectRow
  phone
  website
  linkedinUrl
  timezone
  customFields
}`),$r=new D(`
    mutation DeleteProspect($id: UUID!, $erase: Boolean! = false) {
  deleteProspect(id: $id, erase: $erase)
}
    `),ei=new D(`
    mutation DeleteProspects($ids: [UUID!]!) {
  deleteProspects(ids: $ids)
}
    `),ti=new D(`
    query ProspectIds($first: Int!, $after: String, $status: ProspectStatus, $campaignId: UUID, $createdSince: Time, $search: String) {
  prospects(
    first: $first
    after: $after
    status: $status
    campaignId: $campaignId
    createdSince: $createdSince
    search: $search
  ) {
    nodes {
      id
      email
    }
    nextCursor
  }
}
    `),ni=new D(`
    mutation BulkProspects($input: BulkProspectsInput!, $dryRun: Boolean!) {
  bulkProspects(input: $input, dryRun: $dryRun) {
    results {
      index
      outcome
      prospectId
      changes
      errors {
        pointer
        code
        detail
      }
    }
  }
}
    `),ri=new D(`
    query Viewer {
  viewer {
    ...ViewerFields
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  admin
  role
  workspaceId
  workspaceName
  totp
  totpRequired
}`),ii=new D(`
    mutation SignIn($email: String!, $password: String!, $code: String) {
  signIn(email: $email, password: $password, code: $code) {
    ...ViewerFields
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  admin
  role
  workspaceId
  workspaceName
  totp
  totpRequired
}`),ai=new D(`
    mutation SignOut {
  signOut
}
    `),oi=new D(`
    mutation ConfirmPassword($password: String!) {
  confirmPassword(password: $password)
}
    `),si=new D(`
    query Invitation($token: String!) {
  invitation(token: $token) {
    workspaceName
    email
  }
}
    `),ci=new D(`
    mutation AcceptInvitation($token: String!, $password: String!, $code: String) {
  acceptInvitation(token: $token, password: $password, code: $code) {
    ...ViewerFields
  }
}
    fragment ViewerFields on Viewer {
  id
  email
  admin
  role
  workspaceId
  workspaceName
  totp
  totpRequired
}`),li=new D(`
    mutation StartTotp {
  startTotp {
    secret
    uri
  }
}
    `),ui=new D(`
    mutation ConfirmTotp($code: String!) {
  confirmTotp(code: $code)
}
    `),di=new D(`
    mutation DisableTotp {
  disableTotp
}
    `),fi=new D(`
    query Sessions {
  sessions {
    id
    lastSeenAt
    client
    agent
    current
  }
}
    `),pi=new D(`
    mutation EndSession($id: UUID!) {
  endSession(id: $id)
}
    `),mi=new D(`
    query Me {
  me {
    workspaceId
    workspaceName
    tokenPrefix
    tokenLastUsedAt
    contactGapHours
  }
}
    `),hi=new D(`
    query TrackingDomain {
  trackingDomain {
    host
    status
    target
    verifiedAt
  }
}
    `),gi=new D(`
    query Members {
  members {
    id
    email
    role
    createdAt
    createdToken
  }
}
    `),_i=new D(`
    query Invitations {
  invitations {
    id
    email
    expiresAt
  }
}
    `),vi=new D(`
    mutation UpdateMe($input: MeInput!) {
  updateMe(input: $input) {
    workspaceId
    contactGapHours
  }
}
    `),yi=new D(`
    mutation ChangePassword($currentPassword: String!, $newPassword: String!) {
  changePassword(currentPassword: $currentPassword, newPassword: $newPassword)
}
    `),bi=new D(`
    mutation RotateToken {
  rotateToken {
    token
    tokenPrefix
  }
}
    `),xi=new D(`
    mutation RevokeToken {
  revokeToken
}
    `),Si=new D(`
    mutation SetTrackingDomain($host: String!) {
  setTrackingDomain(host: $host) {
    host
    status
    target
    verifiedAt
  }
}
    `),Ci=new D(`
    mutation VerifyTrackingDomain {
  verifyTrackingDomain {
    host
    status
    target
    verifiedAt
  }
}
    `),wi=new D(`
    mutation InviteMember($email: String!, $role: Role!) {
  inviteMember(email: $email, role: $role) {
    email
    token
  }
}
    `),Ti=new D(`
    mutation RevokeInvitation($id: UUID!) {
  revokeInvitation(id: $id)
}
    `),Ei=new D(`
    mutation RemoveMember($id: UUID!) {
  removeMember(id: $id)
}
    `),Di=new D(`
    mutation RecordExport($list: ExportedList!, $rows: Int!) {
  recordExport(list: $list, rows: $rows)
}
    `),Oi=new D(`
    query AuditLog($first: Int!, $after: String, $action: AuditAction) {
  auditLog(first: $first, after: $after, action: $action) {
    nodes {
      id
      at
      actor
      action
      subject
      client
    }
    nextCursor
  }
}
    `),ki=new D(`
    query OAuthClients {
  oauthClients {
    provider
    clientId
    tenant
    fault
  }
  mailProviders {
    provider
    missing
  }
}
    `),Ai=new D(`
    mutation SetOAuthClient($provider: MailProvider!, $input: OAuthClientInput!) {
  setOAuthClient(provider: $provider, input: $input) {
    clientId
  }
}
    `),ji=new D(`
    mutation DeleteOAuthClient($provider: MailProvider!) {
  deleteOAuthClient(provider: $provider)
}
    `),Mi=new D(`
    query Snippets($first: Int!, $after: String) {
  snippets(first: $first, after: $after) {
    nodes {
      ...SnippetFields
    }
    nextCursor
  }
}
    fragment SnippetFields on Snippet {
  id
  name
  bodyHtml
  bodyText
}`),Ni=new D(`
    query Snippet($id: UUID!) {
  snippet(id: $id) {
    ...SnippetFields
  }
}
    fragment SnippetFields on Snippet {
  id
  name
  bodyHtml
  bodyText
}`),Pi=new D(`
    mutation CreateSnippet($input: SnippetInput!) {
  createSnippet(input: $input) {
    ...SnippetFields
  }
}
    fragment SnippetFields on Snippet {
  id
  name
  bodyHtml
  bodyText
}`),Fi=new D(`
    mutation UpdateSnippet($id: UUID!, $input: SnippetInput!) {
  updateSnippet(id: $id, input: $input) {
    ...SnippetFields
  }
}
    fragment SnippetFields on Snippet {
  id
  name
  bodyHtml
  bodyText
}`),Ii=new D(`
    mutation DeleteSnippet($id: UUID!) {
  deleteSnippet(id: $id)
}
    `),Li=new D(`
    query Suppressions($first: Int!, $after: String, $reason: SuppressionReason, $email: String, $domain: String) {
  suppressions(
    first: $first
    after: $after
    reason: $reason
    email: $email
    domain: $domain
  ) {
    nodes {
      id
      email
      domain
      reason
      note
      createdAt
    }
    nextCursor
  }
}
    `),Ri=new D(`
    query SuppressionEffect($domain: String!) {
  suppressionEffect(domain: $domain) {
    people
    enrollments
  }
}
    `),zi=new D(`
    mutation CreateSuppression($input: SuppressionInput!) {
  createSuppression(input: $input) {
    created
    stopped
    suppression {
      id
      email
      domain
      reason
      note
      createdAt
    }
  }
}
    `),Bi=new D(`
    mutation BulkSuppressions($input: BulkSuppressionsInput!) {
  bulkSuppressions(input: $input) {
    stopped
    results {
      index
      outcome
      suppressionId
      refusal {
        code
        message
        fields {
          pointer
        }
      }
    }
  }
}
    `),Vi=new D(`
    mutation DeleteSuppression($id: UUID!, $confirm: Boolean!) {
  deleteSuppression(id: $id, confirm: $confirm)
}
    `),Hi=new D(`
    mutation UndoSuppressions($ids: [UUID!]!, $stopped: [UUID!]!) {
  undoSuppressions(ids: $ids, stopped: $stopped) {
    restored
  }
}
    `),Ui=new D(`
    query Subscriptions($first: Int!, $after: String) {
  subscriptions(first: $first, after: $after) {
    nodes {
      ...SubscriptionFields
    }
    nextCursor
  }
}
    fragment SubscriptionFields on Subscription {
  id
  url
  events
  enabled
  createdAt
}`),Wi=new D(`
    query Subscription($id: UUID!) {
  subscription(id: $id) {
    ...SubscriptionFields
  }
}
    fragment SubscriptionFields on Subscription {
  id
  url
  events
  enabled
  createdAt
}`),Gi=new D(`
    query Deliveries($first: Int!, $after: String, $subscriptionId: UUID, $type: EventType, $status: DeliveryStatus, $since: Time) {
  deliveries(
    first: $first
    after: $after
    subscriptionId: $subscriptionId
    type: $type
    status: $status
    since: $since
  ) {
    nodes {
      ...DeliveryRow
    }
    nextCursor
  }
}
    fragment DeliveryRow on Delivery {
  id
  subscriptionId
  subscriptionEvent
  eventId
  type
  url
  status
  attempts
  httpStatus
  error
  nextAttemptAt
  deliveredAt
  redeliveryOf
  createdAt
  body
}`),Ki=new D(`
    query Redelivered($ids: [UUID!]!) {
  redelivered(ids: $ids)
}
    `),qi=new D(`
    query Delivery($id: UUID!) {
  delivery(id: $id) {
    ...DeliveryFields
  }
}
    fragment DeliveryRow on Delivery {
  id
  subscriptionId
  subscriptionEvent
  eventId
  type
  url
  status
  attempts
  httpStatus
  error
  nextAttemptAt
  deliveredAt
  redeliveryOf
  createdAt
  body
}
fragment DeliveryFields on Delivery {
  ...DeliveryRow
  attemptLog {
    number
    startedAt
    durationMs
    httpStatus
    error
  }
}`),Ji=new D(`
    mutation CreateSubscription($input: SubscriptionInput!) {
  createSubscription(input: $input) {
    id
    url
    events
    enabled
    secret
    createdAt
  }
}
    `),Yi=new D(`
    mutation UpdateSubscription($id: UUID!, $input: SubscriptionInput!) {
  updateSubscription(id: $id, input: $input) {
    ...SubscriptionFields
  }
}
    fragment SubscriptionFields on Subscription {
  id
  url
  events
  enabled
  createdAt
}`),Xi=new D(`
    mutation DeleteSubscription($id: UUID!) {
  deleteSubscription(id: $id)
}
    `),Zi=new D(`
    mutation TestSubscription($id: UUID!) {
  testSubscription(id: $id) {
    ...DeliveryFields
  }
}
    fragment DeliveryRow on Delivery {
  id
  subscriptionId
  subscriptionEvent
  eventId
  type
  url
  status
  attempts
  httpStatus
  error
  nextAttemptAt
  deliveredAt
  redeliveryOf
  createdAt
  body
}
fragment DeliveryFields on Delivery {
  ...DeliveryRow
  attemptLog {
    number
    startedAt
    durationMs
    httpStatus
    error
  }
}`),Qi=new D(`
    mutation RotateSubscriptionSecret($id: UUID!) {
  rotateSubscriptionSecret(id: $id) {
    id
    secret
  }
}
    `),$i=new D(`
    mutation RevealSubscriptionSecret($id: UUID!) {
  revealSubscriptionSecret(id: $id) {
    id
    secret
  }
}
    `),ea=new D(`
    mutation RedeliverFailed($subscriptionId: UUID!, $since: Time!, $dryRun: Boolean!) {
  redeliverFailed(subscriptionId: $subscriptionId, since: $since, dryRun: $dryRun) {
    count
    dryRun
  }
}
    `),ta=new D(`
    mutation Redeliver($id: UUID!) {
  redeliver(id: $id) {
    ...DeliveryFields
  }
}
    fragment DeliveryRow on Delivery {
  id
  subscriptionId
  subscriptionEvent
  eventId
  type
  url
  status
  attempts
  httpStatus
  error
  nextAttemptAt
  deliveredAt
  redeliveryOf
  createdAt
  body
}
fragment DeliveryFields on Delivery {
  ...DeliveryRow
  attemptLog {
    number
    startedAt
    durationMs
    httpStatus
    error
  }
}`),na=6e4;function ra(e){let t,n,r=()=>{t=new EventSource(`/live`),t.onopen=()=>e({open:!0}),t.onmessage=({data:t})=>e({news:t});for(let n of[`reply`,`anything`])t.addEventListener(n,({data:t})=>e({news:t}));t.addEventListener(`writing`,({data:t})=>e({writing:t.split(` `)})),t.onerror=()=>{e({open:!1}),t.readyState===EventSource.CLOSED&&(n=window.setTimeout(r,na))}};return r(),()=>{t.close(),window.clearTimeout(n)}}function ia(){let e=`BroadcastChannel`in window?new BroadcastChannel(`outreach.live`):null,t=new AbortController,n=!1,r=!1,i=({open:e,news:t,writing:n})=>{e!==void 0&&(e&&!r&&$t(),r=e,Jt(e)),t!==void 0&&$t(),n&&en(n)};e&&(e.onmessage=({data:t})=>{t.asks&&n?e.postMessage({open:r}):n||i(t)});let a=()=>new Promise(r=>{n=!0;let a=ra(t=>{i(t),e?.postMessage(t)});t.signal.addEventListener(`abort`,()=>{a(),r()})});return e?.postMessage({asks:!0}),e&&`locks`in navigator?navigator.locks.request(`outreach.live`,{signal:t.signal},a).catch(()=>void 0):a(),()=>{t.abort(),e?.close(),Jt(!1)}}var aa=e=>e?.replace(/([a-z0-9])([A-Z])/g,`$1-$2`).toLowerCase();function oa(e,t,n=[]){if(t==null)throw Error(`[lucide]: iconNode is required when icon name is used`);return{name:aa(e),size:24,node:t,...n.length>0?{aliases:n}:{}}}var sa=e=>{let t=``,n=!1;for(let r of e)r===`-`||r===`_`||r<=` `?n=t.length>0:(t.length===0?t+=r.toLowerCase():t+=n?r.toUpperCase():r,n=!1);return t},ca=e=>{let t=sa(e);return t.charAt(0).toUpperCase()+t.slice(1)},la=(...e)=>{let t=new Set;for(let n of e)if(typeof n==`string`)for(let e of n.split(/\s+/))e&&t.add(e);return[...t].join(` `)},ua={xmlns:`http://www.w3.org/2000/svg`,width:24,height:24,viewBox:`0 0 24 24`,fill:`none`,stroke:`currentColor`,"stroke-width":2,"stroke-linecap":`round`,"stroke-linejoin":`round`};function da(e){return e!=null}function fa(e,t={}){let n=t.attributeNames??{},r=e=>n[e]??e,i=e.size??e.width??ua.width,a=e.size??e.height??ua.height,o=e.aliases?.filter(e=>typeof e==`string`&&e.trim()!==``).map(e=>`lucide-${e}`)??[],s=[...e.name?[`lucide-${e.name}`]:[],...o],c=t.className?.split(` `).filter(Boolean)??[],l=t.includeDefaultClasses===!1?la(...c):la(`lucide`,...s,...c),u=t.absoluteStrokeWidth?Number(t.strokeWidth??ua[`stroke-width`])*Number(e.size??e.width??ua.width)/Number(t.size??t.width??ua.width):t.strokeWidth??ua[`stroke-width`];return[`svg`,{...Object.entries(ua).reduce((e,[t,n])=>(e[r(t)]=n,e),{}),...`color`in t&&t.color&&{[r(`stroke`)]:t.color},...`size`in t&&da(t.size)&&{[r(`width`)]:t.size,[r(`height`)]:t.size},...`width`in t&&da(t.width)&&{[r(`width`)]:t.width},...`height`in t&&da(t.height)&&{[r(`height`)]:t.height},[r(`stroke-width`)]:u,...l&&{[r(`class`)]:l},[r(`viewBox`)]:`0 0 ${i} ${a}`,...t.hasA11yProp===!1?{[r(`aria-hidden`)]:`true`}:{},...`attributes`in t&&t.attributes},e.node.map(e=>{let[n,i,a]=e,o=t.nonScalingStroke?{[r(`vector-effect`)]:`non-scaling-stroke`,...i}:i;return a?[n,o,a]:[n,o]})]}function pa(e,t={}){return fa(e,{...t,attributeNames:{...t.attributeNames,class:`className`,"stroke-width":`strokeWidth`,"stroke-linecap":`strokeLinecap`,"stroke-linejoin":`strokeLinejoin`,"vector-effect":`vectorEffect`}})}var ma=e=>{if(typeof e!=`object`||!e)return!1;for(let t in e)if(Object.prototype.hasOwnProperty.call(e,t)&&(t.startsWith(`aria-`)||t===`role`||t===`title`)&&e[t]!=null)return!0;return!1},ha=(0,s.createContext)({}),O=()=>(0,s.useContext)(ha),k=(0,s.forwardRef)(({color:e,size:t,width:n,height:r,strokeWidth:i,absoluteStrokeWidth:a,nonScalingStroke:o,className:c=``,children:l,iconNode:u=[],icon:d={node:u,aliases:[],size:24},...f},p)=>{let{size:m=24,strokeWidth:h=2,absoluteStrokeWidth:g=!1,nonScalingStroke:_=!1,color:v=`currentColor`,className:y=``}=O()??{},b=!!l||ma(f),[ee,te,ne=[]]=pa(d,{color:e??v,width:n??t??m,height:r??t??m,strokeWidth:i??h,absoluteStrokeWidth:a??g,nonScalingStroke:o??_,className:la(y,c),hasA11yProp:b,attributes:f});return(0,s.createElement)(ee,{ref:p,...te},[...ne.map(([e,t])=>(0,s.createElement)(e,t)),...Array.isArray(l)?l:[l]])});function A(e,t=[],n=[]){let r=typeof e==`string`?oa(e,t,n):e,i=(0,s.forwardRef)(({className:e,...t},n)=>(0,s.createElement)(k,{ref:n,icon:r,className:e,...t}));return r.name&&(i.displayName=ca(r.name)),i}var ga={name:`ban`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`M4.929 4.929 19.07 19.071`,key:`196cmz`}]]};ga.node;var _a=A(ga),va={name:`book-open`,size:24,node:[[`path`,{d:`M12 5v16`,key:`1f6ucr`}],[`path`,{d:`M20.001 19A2 2 0 0022 17V5a2 2 0 00-1.999-2L16 3.002A5 5 0 0012 5a5 5 0 00-4-2H4a2 2 0 00-2 2v12a2 2 0 001.999 2H8a5 5 0 014 2 5 5 0 014-2z`,key:`1fyvmf`}]]};va.node;var ya=A(va),ba={name:`building-complex`,size:24,node:[[`path`,{d:`M10 12h4`,key:`a56b0p`}],[`path`,{d:`M10 8h4`,key:`1sr2af`}],[`path`,{d:`M14 21v-3a2 2 0 0 0-4 0v3`,key:`1rgiei`}],[`path`,{d:`M6 10H4a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2h-2`,key:`secmi2`}],[`path`,{d:`M6 21V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v16`,key:`16ra0t`}]],aliases:[`building-2`]};ba.node;var xa=A(ba),Sa={name:`check`,size:24,node:[[`path`,{d:`M20 6 9 17l-5-5`,key:`1gmf2c`}]]};Sa.node;var Ca=A(Sa),wa={name:`circle-dashed`,size:24,node:[[`path`,{d:`M10.1 2.182a10 10 0 0 1 3.8 0`,key:`5ilxe3`}],[`path`,{d:`M13.9 21.818a10 10 0 0 1-3.8 0`,key:`11zvb9`}],[`path`,{d:`M17.609 3.721a10 10 0 0 1 2.69 2.7`,key:`1iw5b2`}],[`path`,{d:`M2.182 13.9a10 10 0 0 1 0-3.8`,key:`c0bmvh`}],[`path`,{d:`M20.279 17.609a10 10 0 0 1-2.7 2.69`,key:`1ruxm7`}],[`path`,{d:`M21.818 10.1a10 10 0 0 1 0 3.8`,key:`qkgqxc`}],[`path`,{d:`M3.721 6.391a10 10 0 0 1 2.7-2.69`,key:`1mcia2`}],[`path`,{d:`M6.391 20.279a10 10 0 0 1-2.69-2.7`,key:`1fvljs`}]]};wa.node;var Ta=A(wa),Ea={name:`circle-dot`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`1`,key:`41hilf`}],[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}]]};Ea.node;var Da=A(Ea),Oa={name:`circle`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}]]};Oa.node;var ka=A(Oa),Aa={name:`clock`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`M12 6v6l4 2`,key:`mmk7yg`}]]};Aa.node;var ja=A(Aa),Ma={name:`cloud-off`,size:24,node:[[`path`,{d:`M10.94 5.274A7 7 0 0 1 15.71 10h1.79a4.5 4.5 0 0 1 4.222 6.057`,key:`1uxyv8`}],[`path`,{d:`M18.796 18.81A4.5 4.5 0 0 1 17.5 19H9A7 7 0 0 1 5.79 5.78`,key:`99tcn7`}],[`path`,{d:`m2 2 20 20`,key:`1ooewy`}]]};Ma.node;var Na=A(Ma),Pa={name:`copy`,size:24,node:[[`rect`,{width:`14`,height:`14`,x:`8`,y:`8`,rx:`2`,ry:`2`,key:`17jyea`}],[`path`,{d:`M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2`,key:`zix9uf`}]]};Pa.node;var Fa=A(Pa),Ia={name:`file-text`,size:24,node:[[`path`,{d:`M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z`,key:`1oefj6`}],[`path`,{d:`M14 2v5a1 1 0 0 0 1 1h5`,key:`wfsgrz`}],[`path`,{d:`M10 9H8`,key:`b1mrlr`}],[`path`,{d:`M16 13H8`,key:`t4e002`}],[`path`,{d:`M16 17H8`,key:`z1uh3a`}]]};Ia.node;var La=A(Ia),Ra={name:`flame`,size:24,node:[[`path`,{d:`M12 3q1 4 4 6.5t3 5.5a1 1 0 0 1-14 0 5 5 0 0 1 1-3 1 1 0 0 0 5 0c0-2-1.5-3-1.5-5q0-2 2.5-4`,key:`1slcih`}]]};Ra.node;var za=A(Ra),Ba={name:`inbox`,size:24,node:[[`polyline`,{points:`22 12 16 12 14 15 10 15 8 12 2 12`,key:`o97t9d`}],[`path`,{d:`M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11z`,key:`oot6mr`}]]};Ba.node;var j=A(Ba),Va={name:`key-round`,size:24,node:[[`path`,{d:`M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z`,key:`1s6t7t`}],[`circle`,{cx:`16.5`,cy:`7.5`,r:`.5`,fill:`currentColor`,key:`w0ekpg`}]]};Va.node;var Ha=A(Va),Ua={name:`layout-dashboard`,size:24,node:[[`rect`,{width:`7`,height:`9`,x:`3`,y:`3`,rx:`1`,key:`10lvy0`}],[`rect`,{width:`7`,height:`5`,x:`14`,y:`3`,rx:`1`,key:`16une8`}],[`rect`,{width:`7`,height:`9`,x:`14`,y:`12`,rx:`1`,key:`1hutg5`}],[`rect`,{width:`7`,height:`5`,x:`3`,y:`16`,rx:`1`,key:`ldoo1y`}]]};Ua.node;var Wa=A(Ua),Ga={name:`list-checks`,size:24,node:[[`path`,{d:`M13 5h8`,key:`a7qcls`}],[`path`,{d:`M13 12h8`,key:`h98zly`}],[`path`,{d:`M13 19h8`,key:`c3s6r1`}],[`path`,{d:`m3 17 2 2 4-4`,key:`1jhpwq`}],[`path`,{d:`m3 7 2 2 4-4`,key:`1obspn`}]]};Ga.node;var Ka=A(Ga),qa={name:`log-out`,size:24,node:[[`path`,{d:`m16 17 5-5-5-5`,key:`1bji2h`}],[`path`,{d:`M21 12H9`,key:`dn1m92`}],[`path`,{d:`M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4`,key:`1uf3rs`}]]};qa.node;var Ja=A(qa),Ya={name:`mail-question-mark`,size:24,node:[[`path`,{d:`M22 10.35V6a2 2 0 00-2-2H4a2 2 0 00-2 2v12a2 2 0 002 2h12.3`,key:`14uott`}],[`path`,{d:`m22 7-8.97 5.7a2 2 0 01-2.06 0L2 7`,key:`1096bc`}],[`path`,{d:`M20 18.5c.5-1 2-1 2-2.5a2 2 0 00-2-2 2.5 2.5 0 00-2 1`,key:`8b19pw`}],[`path`,{d:`M20 22h.01`,key:`mnuvyq`}]],aliases:[`mail-question`]};Ya.node;var Xa=A(Ya),Za={name:`mail`,size:24,node:[[`path`,{d:`m22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7`,key:`132q7q`}],[`rect`,{x:`2`,y:`4`,width:`20`,height:`16`,rx:`2`,key:`izxlao`}]]};Za.node;var Qa=A(Za),$a={name:`mail-x`,size:24,node:[[`path`,{d:`M22 12.532V6a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h8.792`,key:`8lpqwp`}],[`path`,{d:`m22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7`,key:`132q7q`}],[`path`,{d:`m16.5 16.5 5 5`,key:`zc9lw7`}],[`path`,{d:`m21.5 16.5-5 5`,key:`1empo3`}]]};$a.node;var eo=A($a),to={name:`menu`,size:24,node:[[`path`,{d:`M4 5h16`,key:`1tepv9`}],[`path`,{d:`M4 12h16`,key:`1lakjw`}],[`path`,{d:`M4 19h16`,key:`1djgab`}]]};to.node;var no=A(to),ro={name:`minus`,size:24,node:[[`path`,{d:`M5 12h14`,key:`1ays0h`}]]};ro.node;var io=A(ro),ao={name:`panel-left`,size:24,node:[[`rect`,{width:`18`,height:`18`,x:`3`,y:`3`,rx:`2`,key:`afitv7`}],[`path`,{d:`M9 3v18`,key:`fh3hqa`}]],aliases:[`sidebar`]};ao.node;var oo=A(ao),so={name:`pause`,size:24,node:[[`rect`,{x:`14`,y:`3`,width:`5`,height:`18`,rx:`1`,key:`kaeet6`}],[`rect`,{x:`5`,y:`3`,width:`5`,height:`18`,rx:`1`,key:`1wsw3u`}]]};so.node;var co=A(so),lo={name:`refresh-cw`,size:24,node:[[`path`,{d:`M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8`,key:`v9h5vc`}],[`path`,{d:`M21 3v5h-5`,key:`1q7to0`}],[`path`,{d:`M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16`,key:`3uifl3`}],[`path`,{d:`M8 16H3v5`,key:`1cv678`}]]};lo.node;var uo=A(lo),fo={name:`reply`,size:24,node:[[`path`,{d:`M20 18v-2a4 4 0 0 0-4-4H4`,key:`5vmcpk`}],[`path`,{d:`m9 17-5-5 5-5`,key:`nvlc11`}]]};fo.node;var po=A(fo),mo={name:`search`,size:24,node:[[`path`,{d:`m21 21-4.34-4.34`,key:`14j7rj`}],[`circle`,{cx:`11`,cy:`11`,r:`8`,key:`4ej97u`}]]};mo.node;var ho=A(mo),go={name:`send`,size:24,node:[[`path`,{d:`M14.536 21.686a.5.5 0 0 0 .937-.024l6.5-19a.496.496 0 0 0-.635-.635l-19 6.5a.5.5 0 0 0-.024.937l7.93 3.18a2 2 0 0 1 1.112 1.11z`,key:`1ffxy3`}],[`path`,{d:`m21.854 2.147-10.94 10.939`,key:`12cjpa`}]]};go.node;var _o=A(go),vo={name:`settings`,size:24,node:[[`path`,{d:`M9.671 4.136a2.34 2.34 0 0 1 4.659 0 2.34 2.34 0 0 0 3.319 1.915 2.34 2.34 0 0 1 2.33 4.033 2.34 2.34 0 0 0 0 3.831 2.34 2.34 0 0 1-2.33 4.033 2.34 2.34 0 0 0-3.319 1.915 2.34 2.34 0 0 1-4.659 0 2.34 2.34 0 0 0-3.32-1.915 2.34 2.34 0 0 1-2.33-4.033 2.34 2.34 0 0 0 0-3.831A2.34 2.34 0 0 1 6.35 6.051a2.34 2.34 0 0 0 3.319-1.915`,key:`1i5ecw`}],[`circle`,{cx:`12`,cy:`12`,r:`3`,key:`1v7zrd`}]]};vo.node;var yo=A(vo),bo={name:`shield-check`,size:24,node:[[`path`,{d:`M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z`,key:`oel41y`}],[`path`,{d:`m9 12 2 2 4-4`,key:`dzmm74`}]]};bo.node;var xo=A(bo),So={name:`shield-exclamation-point`,size:24,node:[[`path`,{d:`M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z`,key:`oel41y`}],[`path`,{d:`M12 8v4`,key:`1got3b`}],[`path`,{d:`M12 16h.01`,key:`1drbdi`}]],aliases:[`shield-alert`]};So.node;var Co=A(So),wo={name:`snowflake`,size:24,node:[[`path`,{d:`m10 20-1.25-2.5L6 18`,key:`18frcb`}],[`path`,{d:`M10 4 8.75 6.5 6 6`,key:`7mghy3`}],[`path`,{d:`m14 20 1.25-2.5L18 18`,key:`1chtki`}],[`path`,{d:`m14 4 1.25 2.5L18 6`,key:`1b4wsy`}],[`path`,{d:`m17 21-3-6h-4`,key:`15hhxa`}],[`path`,{d:`m17 3-3 6 1.5 3`,key:`11697g`}],[`path`,{d:`M2 12h6.5L10 9`,key:`kv9z4n`}],[`path`,{d:`m20 10-1.5 2 1.5 2`,key:`1swlpi`}],[`path`,{d:`M22 12h-6.5L14 15`,key:`1mxi28`}],[`path`,{d:`m4 10 1.5 2L4 14`,key:`k9enpj`}],[`path`,{d:`m7 21 3-6-1.5-3`,key:`j8hb9u`}],[`path`,{d:`m7 3 3 6h4`,key:`1otusx`}]]};wo.node;var To=A(wo),Eo={name:`sun`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`4`,key:`4exip2`}],[`path`,{d:`M12 2v2`,key:`tus03m`}],[`path`,{d:`M12 20v2`,key:`1lh1kg`}],[`path`,{d:`m4.93 4.93 1.41 1.41`,key:`149t6j`}],[`path`,{d:`m17.66 17.66 1.41 1.41`,key:`ptbguv`}],[`path`,{d:`M2 12h2`,key:`1t8f8n`}],[`path`,{d:`M20 12h2`,key:`1q8mjw`}],[`path`,{d:`m6.34 17.66-1.41 1.41`,key:`1m8zz5`}],[`path`,{d:`m19.07 4.93-1.41 1.41`,key:`1shlcs`}]]};Eo.node;var Do=A(Eo),Oo={name:`thumbs-down`,size:24,node:[[`path`,{d:`M9 18.12 10 14H4.17a2 2 0 0 1-1.92-2.56l2.33-8A2 2 0 0 1 6.5 2H20a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-2.76a2 2 0 0 0-1.79 1.11L12 22a3.13 3.13 0 0 1-3-3.88Z`,key:`m61m77`}],[`path`,{d:`M17 14V2`,key:`8ymqnk`}]]};Oo.node;var ko=A(Oo),Ao={name:`thumbs-up`,size:24,node:[[`path`,{d:`M15 5.88 14 10h5.83a2 2 0 0 1 1.92 2.56l-2.33 8A2 2 0 0 1 17.5 22H4a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2h2.76a2 2 0 0 0 1.79-1.11L12 2a3.13 3.13 0 0 1 3 3.88Z`,key:`emmmcr`}],[`path`,{d:`M7 10v12`,key:`1qc93n`}]]};Ao.node;var jo=A(Ao),Mo={name:`triangle-exclamation-point`,size:24,node:[[`path`,{d:`m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3`,key:`wmoenq`}],[`path`,{d:`M12 9v4`,key:`juzpu7`}],[`path`,{d:`M12 17h.01`,key:`p32p05`}]],aliases:[`alert-triangle`,`triangle-alert`]};Mo.node;var No=A(Mo),Po={name:`undo-2`,size:24,node:[[`path`,{d:`M9 14 4 9l5-5`,key:`102s5s`}],[`path`,{d:`M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11`,key:`f3b9sd`}]]};Po.node;var Fo=A(Po),Io={name:`users`,size:24,node:[[`path`,{d:`M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2`,key:`1yyitq`}],[`path`,{d:`M16 3.128a4 4 0 0 1 0 7.744`,key:`16gr8j`}],[`path`,{d:`M22 21v-2a4 4 0 0 0-3-3.87`,key:`kshegd`}],[`circle`,{cx:`9`,cy:`7`,r:`4`,key:`nufk8`}]]};Io.node;var Lo=A(Io),Ro={name:`webhook`,size:24,node:[[`path`,{d:`M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2`,key:`q3hayz`}],[`path`,{d:`m6 17 3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06`,key:`1go1hn`}],[`path`,{d:`m12 6 3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8`,key:`qlwsc0`}]]};Ro.node;var zo=A(Ro),Bo={name:`wifi-off`,size:24,node:[[`path`,{d:`M12 20h.01`,key:`zekei9`}],[`path`,{d:`M8.5 16.429a5 5 0 0 1 7 0`,key:`1bycff`}],[`path`,{d:`M5 12.859a10 10 0 0 1 5.17-2.69`,key:`1dl1wf`}],[`path`,{d:`M19 12.859a10 10 0 0 0-2.007-1.523`,key:`4k23kn`}],[`path`,{d:`M2 8.82a15 15 0 0 1 4.177-2.643`,key:`1grhjp`}],[`path`,{d:`M22 8.82a15 15 0 0 0-11.288-3.764`,key:`z3jwby`}],[`path`,{d:`m2 2 20 20`,key:`1ooewy`}]]};Bo.node;var Vo=A(Bo),Ho={name:`x`,size:24,node:[[`path`,{d:`M18 6 6 18`,key:`1bl5f8`}],[`path`,{d:`m6 6 12 12`,key:`d8bk6v`}]]};Ho.node;var Uo=A(Ho);function Wo(e,t){if(e instanceof RegExp)return{keys:!1,pattern:e};var n,r,i,a,o=[],s=``,c=e.split(`/`);for(c[0]||c.shift();i=c.shift();)n=i[0],n===`*`?(o.push(n),s+=i[1]===`?`?`(?:/(.*))?`:`/(.*)`):n===`:`?(r=i.indexOf(`?`,1),a=i.indexOf(`.`,1),o.push(i.substring(1,~r?r:~a?a:i.length)),s+=~r&&!~a?`(?:/([^/]+?))?`:`/([^/]+?)`,~a&&(s+=(~r?`?`:``)+`\\`+i.substring(a))):s+=`/`+i;return{keys:o,pattern:RegExp(`^`+s+(t?`(?=$|/)`:`/?$`),`i`)}}var Go=t((e=>{var t=i();function n(e,t){return e===t&&(e!==0||1/e==1/t)||e!==e&&t!==t}var r=typeof Object.is==`function`?Object.is:n,a=t.useState,o=t.useEffect,s=t.useLayoutEffect,c=t.useDebugValue;function l(e,t){var n=t(),r=a({inst:{value:n,getSnapshot:t}}),i=r[0].inst,l=r[1];return s(function(){i.value=n,i.getSnapshot=t,u(i)&&l({inst:i})},[e,n,t]),o(function(){return u(i)&&l({inst:i}),e(function(){u(i)&&l({inst:i})})},[e]),c(n),n}function u(e){var t=e.getSnapshot;e=e.value;try{var n=t();return!r(e,n)}catch{return!0}}function d(e,t){return t()}var f=typeof window>`u`||window.document===void 0||window.document.createElement===void 0?d:l;e.useSyncExternalStore=t.useSyncExternalStore===void 0?f:t.useSyncExternalStore})),Ko=t(((e,t)=>{t.exports=Go()})),qo=Ko(),Jo=s.useInsertionEffect,Yo=typeof window<`u`&&window.document!==void 0&&window.document.createElement!==void 0?s.useLayoutEffect:s.useEffect,Xo=Jo||Yo,Zo=e=>{let t=s.useRef([e,(...e)=>t[0](...e)]).current;return Xo(()=>{t[0]=e}),t[1]},M=[`popstate`,`pushState`,`replaceState`,`hashchange`],N=[],P=()=>N.forEach(e=>e()),Qo=e=>(N.push(e)===1&&M.forEach(e=>addEventListener(e,P)),()=>{N=N.filter(t=>t!==e),N.length||M.forEach(e=>removeEventListener(e,P))}),$o=(e,t)=>(0,qo.useSyncExternalStore)(Qo,e,t),es=()=>location.search,ts=({ssrSearch:e}={})=>$o(es,e==null?es:()=>e),ns=()=>location.pathname,rs=({ssrPath:e}={})=>$o(ns,e==null?ns:()=>e),is=(e,{replace:t=!1,state:n=null}={})=>history[t?`replaceState`:`pushState`](n,``,e),F=e=>[rs(e),is],as=Symbol.for(`wouter_v3`);if(typeof history<`u`&&window[as]===void 0){for(let e of[`pushState`,`replaceState`]){let t=history[e];history[e]=function(){let n=t.apply(this,arguments),r=new Event(e);return r.arguments=arguments,dispatchEvent(r),n}}Object.defineProperty(window,as,{value:!0})}var os=(e=``)=>e===`/`?``:e,ss=(e,t)=>e[0]===`~`?e.slice(1):os(t)+e,cs=(e,t)=>(e=ls(os(e)),t=ls(t),!e||(t.toLowerCase()+`/`).startsWith(e.toLowerCase()+`/`)?t.slice(e.length)||`/`:`~`+t),ls=e=>{try{return e.includes(`%`)?decodeURI(e):e}catch{return e}},us=e=>ls(e[0]===`?`?e.slice(1):e),ds={hook:F,searchHook:ts,parser:Wo,base:``,ssrPath:void 0,ssrSearch:void 0,ssrContext:void 0,hrefs:e=>e,aroundNav:(e,t,n)=>e(t,n)},fs=(0,s.createContext)(ds),ps=()=>(0,s.useContext)(fs);(0,s.createContext)({});var I=e=>{let[t,n]=e.hook(e);return[cs(e.base,t),Zo((t,r)=>e.aroundNav(n,ss(t,e.base),r))]},ms=()=>I(ps()),hs=()=>{let e=ps();return us(e.searchHook(e))};function gs(){let[e,t]=ms(),n=hs(),r=(0,s.useMemo)(()=>new URLSearchParams(n),[n]),i=r;return[r,Zo((n,r)=>{i=new URLSearchParams(typeof n==`function`?n(i):n);let a=i.toString();t(e+(a?`?`+a:``),r)})]}var _s=(0,s.forwardRef)((e,t)=>{let n=ps(),[r,i]=I(n),{to:a=``,href:o=a,onClick:c,asChild:l,children:u,className:d,replace:f,state:p,transition:m,...h}=e;return h.onClick=Zo(t=>{t.ctrlKey||t.metaKey||t.altKey||t.shiftKey||t.button!==0||(c?.(t),t.defaultPrevented||(t.preventDefault(),i(o,e)))}),h.href=n.hrefs(o[0]===`~`?o.slice(1):n.base+o,n),d!==void 0&&(h.className=d?.call?d(r===o):d),t&&(h.ref=t),l&&(0,s.isValidElement)(u)?(0,s.cloneElement)(u,h):(0,s.createElement)(`a`,h,u)}),vs=e=>{let{to:t,href:n=t}=e,r=ps(),[,i]=I(r),a=Zo(()=>i(t||n,e)),{ssrContext:o}=r;return Yo(()=>{a()},[]),o&&(o.redirectTo=t),null},ys=[`minute`,`min.`,60,`in 1 min.`,`1 min. ago`],bs=[[`year`,`yr.`,31536e3,`next yr.`,`last yr.`],[`month`,`mo.`,2592e3,`next mo.`,`last mo.`],[`week`,`wk.`,604800,`next wk.`,`last wk.`],[`day`,`days`,86400,`tomorrow`,`yesterday`],[`hour`,`hr.`,3600,`in 1 hr.`,`1 hr. ago`],ys];function xs(e,t){let n=(Date.parse(e)-t)/1e3;if(Number.isNaN(n))return e;if(Math.abs(n)<45)return n>15?`in a moment`:`just now`;let[,r,i,a,o]=bs.find(e=>Math.abs(n)>=e[2])??ys,s=Math.max(1,Math.round(Math.abs(n)/i));return s===1?n>0?a:o:n>0?`in ${s} ${r}`:`${s} ${r} ago`}var Ss=[`Jan`,`Feb`,`Mar`,`Apr`,`May`,`Jun`,`Jul`,`Aug`,`Sep`,`Oct`,`Nov`,`Dec`],Cs=e=>String(e).padStart(2,`0`),ws=e=>`${Cs(e.getHours())}:${Cs(e.getMinutes())}`,Ts=e=>`${Ss[e.getMonth()]} ${e.getDate()}, ${e.getFullYear()}`,Es=e=>`${Ss[e.getUTCMonth()]} ${e.getUTCDate()}`;function Ds(e){let t=-e.getTimezoneOffset(),n=Math.abs(t);return t===0?`UTC`:`GMT${t>0?`+`:`-`}${Math.floor(n/60)}${n%60?`:${Cs(n%60)}`:``}`}var Os=e=>`${e.getFullYear()}-${Cs(e.getMonth()+1)}-${Cs(e.getDate())}T${Cs(e.getHours())}:${Cs(e.getMinutes())}`;function ks(e){let t=new Date(e);return`${Ts(t)}, ${ws(t)} ${Ds(t)}`}function As(e){let t=new Date(e);return Number.isNaN(t.getTime())?e:`${Ts(t)}, ${ws(t)}:${Cs(t.getSeconds())} ${Ds(t)}`}var js=[`Sunday`,`Monday`,`Tuesday`,`Wednesday`,`Thursday`,`Friday`,`Saturday`];function Ms(e,t){let n=new Date(e);if(n.getTime()<t+6e4)return`now`;let r=new Date(t).setHours(0,0,0,0),i=Math.round((new Date(n).setHours(0,0,0,0)-r)/864e5);return i===0?`today at ${ws(n)}`:i===1?`tomorrow`:i<7?`on ${js[n.getDay()]}`:`on ${Ts(n)}`}var Ns=e=>js[e.getDay()]?.slice(0,3);function Ps(e,t){let n=new Date(e),r=new Date(t),i=Math.round((new Date(n).setHours(0,0,0,0)-r.setHours(0,0,0,0))/864e5),a=i>0&&n.getFullYear()===r.getFullYear()?`${Ns(n)}, ${Ss[n.getMonth()]} ${n.getDate()}`:Ts(n);return`${i===0?`today`:i===1?`tomorrow`:a} at ${ws(n)}`}function Fs(e,t){let n=Math.ceil((Date.parse(e)-t)/1e3);return n<=0?`leaves now`:n<60?`leaves in ${n} s`:`leaves ${Ps(e,t)}`}var L=e=>String(e).replace(/\B(?=(\d{3})+$)/g,`,`),Is=(e,t,n=`${t.replace(/([^aeiou])y$/,`$1ie`)}s`)=>`${L(e)} ${e===1?t:n}`;function Ls(e,t){return t===0?`–`:`${Math.round(e/t*1e3)/10} %`}function Rs(e,t){if(e===t)return`±0 %`;if(t===0)return`new`;let n=Math.round((e-t)/t*100);return`${n>0?`+`:n<0?`−`:`±`}${L(Math.abs(n))} %`}function zs(e){if(e===0)return`at once`;let t=Math.floor(e/1440),n=Math.floor(e%1440/60),r=e%60;return[t&&Is(t,`day`),n&&`${n} h`,r&&`${r} min`].filter(Boolean).join(` `)}function Bs(e){let t=Math.max(0,Math.round(e));return t<60?`${t} s`:t<3600?`${Math.floor(t/60)} min${t%60?` ${t%60} s`:``}`:`${Math.floor(t/3600)} h${Math.floor(t%3600/60)?` ${Math.floor(t%3600/60)} min`:``}`}var Vs=e=>[e.firstName,e.lastName].filter(Boolean).join(` `)||e.email,Hs=e=>Ws(e.replaceAll(`_`,` `)),Us=e=>e.normalize(`NFD`).replace(/\p{M}/gu,``).toLowerCase(),Ws=e=>e.charAt(0).toUpperCase()+e.slice(1);function Gs(e){return e<1e3?`${e} B`:e<999500?`${Math.round(e/1e3)} kB`:`${(e/1e6).toFixed(1)} MB`}function Ks(e,t=2){let n=Math.max(e,t);for(let e=1;;e*=10)for(let t of[2,4,6,8,10])if(t*e>=n)return t*e}function qs(e){return e.flatMap((t,n)=>new Date(`${t}T00:00:00Z`).getUTCDay()===1&&n/e.length<=.94?[n]:[])}var Js=[{key:`sent`,label:`Sent`},{key:`replied`,label:`Replies`},{key:`positive`,label:`Positive`},{key:`bounced`,label:`Bounces`},{key:`opens`,label:`Opens (upper bound)`}];function Ys({day:e,table:t,onFlip:n}){return(0,c.jsxs)(`figcaption`,{className:`line`,children:[(0,c.jsx)(`span`,{className:`faint grow`,"aria-live":`polite`,children:e?`${Es(new Date(e.date))}: ${Js.map(({key:t,label:n})=>`${n.toLowerCase()} ${L(e[t])}`).join(`, `)}`:`Per day, in UTC`}),(0,c.jsx)(`button`,{type:`button`,className:`link`,onClick:n,children:t?`Show the chart`:`Show as a table`})]})}function Xs({label:e,children:t}){return(0,c.jsx)(`section`,{className:`scroll-x`,"aria-label":e,tabIndex:0,children:t})}function Zs({days:e}){return(0,c.jsx)(Xs,{label:`Figures by day`,children:(0,c.jsxs)(`table`,{className:`plain`,children:[(0,c.jsx)(`thead`,{children:(0,c.jsxs)(`tr`,{children:[(0,c.jsx)(`th`,{scope:`col`,children:`Day (UTC)`}),Js.map(({key:e,label:t})=>(0,c.jsx)(`th`,{scope:`col`,className:`num`,children:t},e))]})}),(0,c.jsx)(`tbody`,{children:e.toReversed().map(e=>(0,c.jsxs)(`tr`,{children:[(0,c.jsx)(`td`,{children:e.date}),Js.map(({key:t})=>(0,c.jsx)(`td`,{className:`num`,children:L(e[t])},t))]},e.date))})]})})}function Qs({days:e}){let[t,n]=(0,s.useState)(null),[r,i]=(0,s.useState)(!1),a=t===null?void 0:e[t];return(0,c.jsxs)(`figure`,{className:`section`,children:[!r&&(0,c.jsxs)(`div`,{className:`day-columns`,tabIndex:0,role:`img`,"aria-label":`Sent and replies of each of ${e.length} days. Arrow keys walk the days.`,onPointerMove:({clientX:t,currentTarget:r})=>{let i=r.querySelector(`svg`)?.getBoundingClientRect();if(!i)return;let a=Math.floor((t-i.left)/i.width*e.length);n(a>=0&&a<e.length?a:null)},onPointerLeave:()=>n(null),onBlur:()=>n(null),onKeyDown:r=>{let i=r.key===`ArrowLeft`?-1:+(r.key===`ArrowRight`);i!==0&&(r.preventDefault(),n(Math.max(0,Math.min(e.length-1,(t??e.length)+i))))},children:[(0,c.jsx)(ec,{name:`Sent`,days:e,whole:`sent`,at:t}),(0,c.jsx)(ec,{name:`Replies`,days:e,whole:`replied`,part:`positive`,at:t}),(0,c.jsx)(nc,{days:e})]}),(0,c.jsx)(Ys,{day:a,table:r,onFlip:()=>{i(!r),n(null)}}),r&&(0,c.jsx)(Zs,{days:e})]})}var $s=10;function ec({name:e,days:t,whole:n,part:r,at:i}){let a=Ks(Math.max(0,...t.map(e=>e[n]))),o=e=>t.map((t,n)=>{let r=t[e]===0?0:Math.max(2,t[e]/a*100);return(0,c.jsx)(`rect`,{className:e,x:n*$s+1.5,y:100-r,width:7,height:r},t.date)});return(0,c.jsxs)(`div`,{className:`day-panel ${n}`,children:[(0,c.jsxs)(`p`,{className:`line`,children:[(0,c.jsxs)(`span`,{className:`line tight`,children:[(0,c.jsx)(`span`,{className:`swatch ${n}`,"aria-hidden":!0}),` `,e]}),r&&(0,c.jsxs)(`span`,{className:`line tight`,children:[(0,c.jsx)(`span`,{className:`swatch ${r}`,"aria-hidden":!0}),` of these `,r]})]}),(0,c.jsxs)(`span`,{className:`scale`,children:[(0,c.jsx)(`span`,{children:L(a)}),(0,c.jsx)(`span`,{children:L(a/2)}),(0,c.jsx)(`span`,{children:`0`})]}),(0,c.jsxs)(`svg`,{viewBox:`0 0 ${t.length*$s} 100`,preserveAspectRatio:`none`,"aria-hidden":!0,children:[i!==null&&(0,c.jsx)(`rect`,{className:`at`,x:i*$s,y:0,width:$s,height:100}),o(n),r&&o(r)]})]})}var tc=4;function nc({days:e}){let t=qs(e.map(({date:e})=>e)),n=Math.ceil(t.length/tc);return(0,c.jsx)(`div`,{className:`dates`,children:t.map((t,r)=>(0,c.jsx)(`span`,{className:r%n===0?void 0:`rare`,style:{left:`${(t+.5)/e.length*100}%`},children:Es(new Date(`${e[t]?.date}T00:00:00Z`))},t))})}var rc=``,ic=0,ac=()=>{document.title=`${ic>0?`(${ic>99?`99+`:ic}) `:``}${rc} · Outreach`},oc=e=>{rc=e,ac()},sc=e=>{ic=e,ac()},cc=!0;function lc(e){if(cc)return cc=!1,()=>void 0;let t=requestAnimationFrame(()=>{document.activeElement===document.body&&e.current?.focus({preventScroll:!0})});return()=>cancelAnimationFrame(t)}function uc({title:e,count:t,action:n,filters:r,wide:i=!1,children:a}){(0,s.useEffect)(()=>oc(e),[e]);let o=(0,s.useRef)(null);return(0,s.useEffect)(()=>lc(o),[]),(0,c.jsxs)(`main`,{id:`main`,ref:o,className:i?`page wide`:`page`,tabIndex:-1,children:[(0,c.jsxs)(`header`,{className:`head`,children:[(0,c.jsx)(`h1`,{title:e,children:e}),t&&(0,c.jsx)(`span`,{className:`faint`,children:t}),(0,c.jsx)(`div`,{className:`actions`,children:n})]}),r,a]})}var dc=[],fc=0,pc=0,mc=new Set,hc=e=>{dc=e;for(let e of mc)e()},gc=()=>++pc;function _c(e,t,n=gc()){vc({text:e,undo:t,turn:n,failure:!1})}function vc(e){let t=++fc;hc([...dc.slice(-2),{id:t,...e}]),setTimeout(()=>hc(dc.filter(e=>e.id!==t)),e.undo?1e4:5e3)}var yc=e=>vc({text:e instanceof Error?e.message:String(e),turn:gc(),failure:!0});function bc(e,t){let n=()=>_c(`${t} copied.`);navigator.clipboard?navigator.clipboard.writeText(e).then(n,()=>xc(e,n)):xc(e,n)}function xc(e,t){let n=document.createElement(`textarea`);n.value=e,n.className=`offscreen`,(document.querySelector(`[role="dialog"]`)??document.body).append(n),n.select(),document.execCommand(`copy`)&&t(),n.remove()}var Sc=()=>document.querySelectorAll(`.toasts`),Cc=e=>e.filter(({undo:e})=>e).sort((e,t)=>t.turn-e.turn)[0];function wc(){let e=Cc(dc);e&&Tc(e)}function Tc({id:e,undo:t}){hc(dc.filter(t=>t.id!==e)),t?.()}function Ec(){let e=(0,s.useSyncExternalStore)(e=>(mc.add(e),()=>{mc.delete(e)}),()=>dc),t=Cc(e),n=e.filter(n=>n===e.at(-1)||n===t||n.failure);return(0,c.jsx)(`div`,{className:`toasts`,role:`status`,"aria-live":`polite`,children:n.map(e=>(0,c.jsxs)(`div`,{className:`toast`,children:[(0,c.jsx)(`span`,{children:e.text}),e.undo&&(0,c.jsxs)(`button`,{type:`button`,className:`link`,onClick:()=>Tc(e),children:[`Undo `,(0,c.jsx)(`kbd`,{"aria-hidden":!0,children:`z`})]}),(0,c.jsx)(`button`,{type:`button`,className:`icon`,"aria-label":`Dismiss`,onClick:()=>Tc({...e,undo:void 0}),children:(0,c.jsx)(Uo,{size:14,"aria-hidden":!0})})]},e.id))})}function Dc(){let[e,t]=(0,s.useState)(!1);return(0,s.useEffect)(()=>{let e=setTimeout(()=>t(!0),150);return()=>clearTimeout(e)},[]),e}function Oc({lines:e=6,kind:t=`row`}){let n=Dc();return(0,c.jsx)(`div`,{className:`skeleton`,role:`status`,"aria-label":`Loading`,children:n&&[...Array(e).keys()].map(e=>(0,c.jsx)(`span`,{className:`bar ${t} w${e%4}`},e))})}function kc({title:e,sample:t,children:n}){return(0,c.jsxs)(`div`,{className:`empty`,children:[t&&(0,c.jsxs)(`div`,{className:`sample`,"aria-hidden":!0,children:[(0,c.jsx)(`p`,{className:`faint`,children:`Example`}),t.map(([e,t,n])=>(0,c.jsxs)(`div`,{children:[(0,c.jsx)(`b`,{children:e}),(0,c.jsx)(`span`,{className:`badge`,children:t}),(0,c.jsx)(`span`,{children:n})]},e))]}),(0,c.jsx)(`p`,{children:e}),n]})}function Ac({id:e}){return e?(0,c.jsxs)(`button`,{type:`button`,className:`link faint`,onClick:()=>bc(e,`Request id`),children:[(0,c.jsx)(Fa,{size:12,"aria-hidden":!0}),` Request `,e]}):null}function jc({error:e,retry:t,what:n=`Loading failed.`}){let r=e.code===`not_found`;return(0,c.jsxs)(`div`,{className:`failure`,role:`alert`,children:[(0,c.jsx)(Na,{size:20,"aria-hidden":!0}),(0,c.jsxs)(`div`,{children:[(0,c.jsx)(`strong`,{children:r?`Not found`:n}),(0,c.jsx)(`p`,{children:r?`It may have been deleted, or it belongs to another workspace.`:e.message}),(0,c.jsxs)(`p`,{className:`line`,children:[t&&!r&&(0,c.jsxs)(`button`,{type:`button`,onClick:t,children:[(0,c.jsx)(uo,{size:14,"aria-hidden":!0}),` Try again`]}),(0,c.jsx)(Ac,{id:e.requestId})]})]})]})}function Mc(){let[e,t]=ms(),[n,r]=gs(),i=n.toString(),a=i?`?${i}`:``,o=(0,s.useCallback)((e,t)=>r(n=>{let r=new URLSearchParams(n);return t?r.set(e,t):r.delete(e),r},{replace:!0}),[r]);return{path:e.split(`/`).filter(Boolean).map(decodeURIComponent),params:n,filter:o,tail:a,navigate:t,open:e=>t(e+a,{state:{over:!0}}),swap:e=>t(e+a,{replace:!0,state:history.state}),close:e=>{history.state?.over?history.back():t(e+a,{replace:!0})}}}var Nc=Date.now(),Pc=new Set;setInterval(()=>{if(!document.hidden){Nc=Date.now();for(let e of Pc)e()}},2e4);var Fc=e=>(Pc.add(e),()=>{Pc.delete(e)}),Ic=()=>Nc,Lc=()=>(0,s.useSyncExternalStore)(Fc,Ic,Ic);function Rc({at:e,none:t=`–`}){let n=Lc();return e?(0,c.jsx)(`time`,{dateTime:e,title:As(e),children:xs(e,Math.max(n,Date.now()-2e4))}):(0,c.jsx)(`span`,{className:`faint`,children:t})}var R=5,zc={enrollment_held:{icon:ja,to:e=>`/campaigns/held/${e}`,verb:`Resolve`},mailbox_error:{icon:No,to:e=>`/mailboxes/${e}`,verb:`Open`},mailbox_near_bound:{icon:Co,to:()=>`/deliverability`,verb:`Review`},oauth_client_refused:{icon:Ha,to:()=>`/settings/mail`,verb:`Edit client`},sending_domain_failing:{icon:Co,to:()=>`/deliverability`,verb:`Fix record`},endpoint_failing:{icon:zo,to:e=>`/settings/webhooks/${e}`,verb:`Test`},message_unknown:{icon:Xa,to:e=>`/campaigns/unknown/${e}`,verb:`Decide`}},Bc=[`enrollment_held`,`mailbox_near_bound`];function Vc(){let{data:e,error:t,refetch:n}=E(Hr,{}),[r,i]=(0,s.useState)(!1),a=e?.attention??[];return(0,c.jsxs)(`section`,{className:`section`,"aria-labelledby":`needs-attention`,children:[(0,c.jsx)(`h2`,{id:`needs-attention`,children:`Needs attention`}),!e&&t&&(0,c.jsx)(jc,{error:t,retry:()=>void n()}),!e&&!t&&(0,c.jsx)(Oc,{kind:`text`,lines:4}),e&&a.length===0&&(0,c.jsxs)(`p`,{className:`faint line`,children:[(0,c.jsx)(Ca,{size:16,"aria-hidden":!0}),` Nothing needs attention.`]}),a.length>0&&(0,c.jsx)(`ul`,{className:`lines attention`,children:a.slice(0,r?void 0:R).map(e=>(0,c.jsx)(Hc,{problem:e},e.kind+e.subjectId))}),a.length>R&&!r&&(0,c.jsx)(`p`,{children:(0,c.jsxs)(`button`,{type:`button`,className:`link`,onClick:()=>i(!0),children:[`Show all `,L(a.length)]})})]})}function Hc({problem:{kind:e,subjectId:t,title:n,detail:r,since:i}}){let a=E(Wr,{},{live:3e4}).data?.mailboxes.nodes,o=e===`mailbox_error`?a?.find(({id:e})=>e===t):void 0,{icon:s,to:l,verb:u}=zc[e],d=o?.status===`error`&&!o.authError,f=o?.authError?`Reconnect`:o?.status===`paused`?`Resume`:u;return(0,c.jsxs)(`li`,{children:[(0,c.jsx)(s,{size:16,className:Bc.includes(e)?`warn-text`:`bad-text`,"aria-hidden":!0}),(0,c.jsxs)(`div`,{className:`grow`,children:[(0,c.jsx)(`b`,{children:d?(0,c.jsx)(_s,{href:l(t),children:n}):n}),(0,c.jsxs)(`p`,{className:`faint`,children:[Ws(r),` · `,(0,c.jsx)(Rc,{at:i})]})]}),d?(0,c.jsx)(Uc,{id:t,title:n}):(0,c.jsx)(_s,{className:`button`,href:l(t),"aria-label":`${f}: ${n}`,children:f})]})}function Uc({id:e,title:t}){let n=hn(Ar);return(0,c.jsx)(`button`,{type:`button`,disabled:n.isPending,"aria-label":`Check now: ${t}`,onClick:()=>n.mutate({id:e},{onSuccess:({checkMailbox:e})=>_c(e.lastError?`The check failed.`:`Both servers work.`),onError:yc}),children:n.isPending?`Checking…`:`Check now`})}var Wc=[`new`,`in_sequence`,`paused`,`finished`,`replied`,`bounced`,`unsubscribed`],Gc=[`positive`,`neutral`,`negative`],Kc=[`draft`,`active`,`paused`,`completed`,`archived`],qc=[`mon`,`tue`,`wed`,`thu`,`fri`,`sat`,`sun`],Jc=[`active`,`held`,`paused`,`replied`,`finished`,`bounced`,`unsubscribed`,`stopped`,`failed`],Yc=[`tls`,`starttls`,`none`],Xc=[`hot`,`warm`,`cold`],Zc=[`unread`,`read`,`reread`],Qc=[`manual`,`unsubscribed`,`bounced`,`complaint`],$c=[`sent`,`replied`,`clicked`,`bounced`,`unsubscribed`,`positive_reply`],el=[`sent`,`replied`,`clicked`,`bounced`,`unsubscribed`,`test`],tl=[`queued`,`delivered`,`failed`],nl=[`owner`,`member`],rl=`signed_in.sign_in_failed.password_changed.session_ended.totp_enabled.totp_disabled.totp_requirement_changed.token_created.token_revoked.member_invited.invitation_revoked.member_joined.member_removed.mailbox_created.mailbox_changed.mailbox_deleted.subscription_created.subscription_changed.subscription_deleted.secret_shown.secret_rotated.tracking_domain_set.suppression_deleted.campaign_activated.oauth_client_set.oauth_client_deleted.list_exported`.split(`.`);function il(e,t,n){let r=t.filter(t=>!e.some(({id:e})=>e===t.id));return[...e,...r].slice(0,n)}var al=400;function ol({text:e,subject:t}){return e.slice(0,al).replace(/\s+/g,` `).trim()||(t??``)}var sl={new:[`plain`,Ta],in_sequence:[`accent`,Da],paused:[`warn`,co],finished:[`plain`,Ca],replied:[`good`,po],bounced:[`bad`,No],unsubscribed:[`bad`,_a],active:[`good`,Da],held:[`warn`,No],stopped:[`plain`,Uo],failed:[`bad`,Uo],draft:[`plain`,Ta],completed:[`plain`,Ca],archived:[`plain`,io],connected:[`good`,Ca],error:[`bad`,No],sent:[`plain`,Ca],unknown:[`warn`,No],scheduled:[`accent`,ja],not_sent:[`plain`,Fo],hot:[`good`,za],warm:[`accent`,Do],cold:[`plain`,To],unread:[`plain`,Ta],read:[`good`,Ca],reread:[`good`,Ca],manual:[`plain`,_a],complaint:[`bad`,No],passing:[`good`,Ca],failing:[`bad`,No],pass:[`good`,Ca],fail:[`bad`,Uo],none:[`bad`,io],queued:[`plain`,ja],delivered:[`good`,Ca],positive:[`good`,jo],neutral:[`plain`,io],negative:[`bad`,ko],pending:[`warn`,ja],verified:[`good`,Ca],enabled:[`good`,Ca],disabled:[`plain`,co],owner:[`accent`,Da],member:[`plain`,Da]};function cl({state:e,label:t}){let[n,r]=sl[e];return(0,c.jsxs)(`span`,{className:`badge ${n}`,children:[(0,c.jsx)(r,{size:12,"aria-hidden":!0}),t??Hs(e)]})}var ll=5;function ul(){let e=E(Ur,{}).data?.waitingReplies,{data:t,error:n,refetch:r}=E(Gr,{}),i=e??t?.replies.nodes.length,a=Gc.map(e=>[e,t?.replies.nodes.filter(t=>t.interest===e).length??0]);return(0,c.jsxs)(`section`,{className:`section`,"aria-labelledby":`replies-waiting`,children:[(0,c.jsxs)(`header`,{children:[(0,c.jsx)(`h2`,{id:`replies-waiting`,children:`Replies waiting`}),i!==void 0&&i>0&&(0,c.jsxs)(c.Fragment,{children:[(0,c.jsx)(`span`,{className:`faint`,children:i>99?`100 or more replies`:Is(i,`reply`,`replies`)}),(0,c.jsx)(_s,{className:`button primary`,href:`/inbox`,children:`Read`})]})]}),!t&&n&&(0,c.jsx)(jc,{error:n,retry:()=>void r()}),!t&&!n&&(0,c.jsx)(Oc,{lines:ll}),t&&i===0&&(0,c.jsxs)(`p`,{className:`faint line`,children:[(0,c.jsx)(Ca,{size:16,"aria-hidden":!0}),` No reply waits for an answer.`]}),t&&i!==0&&(0,c.jsxs)(c.Fragment,{children:[(0,c.jsx)(`p`,{className:`waiting`,children:a.map(([e,t])=>t>0&&(0,c.jsxs)(_s,{href:`/inbox?interest=${e}`,children:[L(t),` `,e]},e))}),(0,c.jsx)(`ul`,{className:`said`,children:il(t.positive.nodes,t.newest.nodes,ll).map(e=>(0,c.jsx)(dl,{reply:e},e.id))})]})]})}function dl({reply:e}){let{prospect:t}=e;return(0,c.jsx)(`li`,{children:(0,c.jsxs)(_s,{href:`/inbox/${e.id}`,children:[(0,c.jsxs)(`span`,{className:`clip`,children:[(0,c.jsx)(`b`,{children:t?Vs(t):e.from}),t?.companyName&&(0,c.jsxs)(`span`,{className:`faint`,children:[` · `,t.companyName]})]}),e.interest&&(0,c.jsx)(cl,{state:e.interest}),(0,c.jsx)(`span`,{className:`faint when`,children:(0,c.jsx)(Rc,{at:e.receivedAt})}),(0,c.jsx)(`span`,{className:`words clip`,children:ol(e)})]})})}var fl=[7,28,90],pl=5;function ml(){let{params:e,filter:t}=Mc(),n=fl.find(t=>String(t)===e.get(`days`))??28,{data:r,error:i,refetch:a}=E(Vr,{days:n},{keep:!0}),o=r&&!Object.values(r.overview.setup).every(Boolean);return!r&&!i?(0,c.jsx)(uc,{title:`Overview`,children:(0,c.jsx)(Oc,{kind:`block`,lines:3})}):(0,c.jsxs)(uc,{title:`Overview`,children:[r&&(0,c.jsx)(gl,{overview:r.overview}),o&&(0,c.jsx)(Cl,{setup:r.overview.setup}),(0,c.jsxs)(`div`,{className:`desk`,children:[(0,c.jsx)(ul,{}),(0,c.jsx)(Vc,{})]}),(0,c.jsxs)(`section`,{className:`section`,"aria-labelledby":`activity`,children:[(0,c.jsxs)(`header`,{children:[(0,c.jsx)(`h2`,{id:`activity`,children:`Activity`}),(0,c.jsx)(`select`,{className:`filter`,"aria-label":`Period`,value:n,onChange:e=>t(`days`,e.target.value===`28`?``:e.target.value),children:fl.map(e=>(0,c.jsxs)(`option`,{value:e,children:[`Last `,e,` days`]},e))})]}),r&&(0,c.jsx)(hl,{overview:r.overview}),!r&&i&&(0,c.jsx)(jc,{error:i,retry:()=>void a()})]})]})}function hl({overview:e}){let{days:t}=e;return(0,c.jsxs)(c.Fragment,{children:[(0,c.jsx)(bl,{overview:e}),(0,c.jsxs)(`div`,{className:`split`,children:[(0,c.jsxs)(`div`,{className:`stack`,children:[t.some(({sent:e,replied:t})=>e+t>0)?(0,c.jsx)(Qs,{days:t}):(0,c.jsxs)(`p`,{className:`faint`,children:[`Nothing was sent and nobody replied in these `,t.length,` days.`]}),(0,c.jsx)(Sl,{overview:e})]}),(0,c.jsx)(xl,{})]})]})}function gl({overview:e}){let t=e.notSendingReason;return(0,c.jsxs)(`p`,{className:`standing`,children:[t?(0,c.jsx)(ja,{size:14,"aria-hidden":!0}):(0,c.jsx)(Da,{size:14,className:`good-text`,"aria-hidden":!0}),(0,c.jsx)(`span`,{children:t?`Not sending right now. ${t}`:`Sending now, ${Is(e.sentLastHour,`message`)} in the last hour.`})]})}var _l=[[`sent`,`Sent`,null],[`replied`,`Replies`,`sent`],[`positive`,`Positive replies`,`replied`],[`bounced`,`Bounces`,`sent`]],vl={sent:`of messages sent`,replied:`of replies`},yl=10;function bl({overview:{totals:e,previous:t,days:n}}){return(0,c.jsx)(`dl`,{className:`multiples`,"aria-label":`Last ${n.length} days`,children:_l.map(([r,i,a])=>(0,c.jsxs)(`div`,{className:`number`,children:[(0,c.jsxs)(`dt`,{children:[(0,c.jsx)(`span`,{className:`swatch ${r}`,"aria-hidden":!0}),i]}),(0,c.jsxs)(`dd`,{children:[L(e[r]),a&&e[a]>0&&(0,c.jsxs)(`small`,{title:vl[a],children:[Ls(e[r],e[a]),` `,(0,c.jsx)(`span`,{className:`offscreen`,children:vl[a]})]})]}),(0,c.jsx)(`dd`,{children:(0,c.jsx)(`small`,{title:`${L(t[r])} in the ${n.length} days before`,children:t[r]<yl?`${t[r]===0?`none`:t[r]} in the ${n.length} days before`:`${Rs(e[r],t[r])} compared with the ${n.length} days before`})})]},r))})}function xl(){let{data:e}=E(Wr,{},{live:3e4}),t=e?.mailboxes.nodes??[];if(t.length===0)return null;let n=t.filter(({status:e})=>e===`connected`),r=n.reduce((e,t)=>e+t.sentToday,0),i=n.reduce((e,t)=>e+t.limitToday,0);return(0,c.jsxs)(`section`,{className:`section`,"aria-labelledby":`capacity`,children:[(0,c.jsxs)(`header`,{children:[(0,c.jsx)(`h2`,{id:`capacity`,children:`Sending capacity today`}),(0,c.jsxs)(`span`,{className:`faint`,children:[L(r),` of `,L(i)]})]}),(0,c.jsx)(`ul`,{className:`capacity`,children:t.slice(0,pl).map(e=>(0,c.jsxs)(`li`,{children:[(0,c.jsx)(_s,{className:`clip`,href:`/mailboxes/${e.id}`,title:e.email,children:e.email}),(0,c.jsx)(`span`,{className:e.status===`error`?`bad-text`:`faint`,children:e.status===`connected`?`${L(e.sentToday)} of ${L(e.limitToday)}`:e.status===`error`?`Error`:`Paused`}),(0,c.jsx)(`span`,{className:`measure`,children:(0,c.jsx)(`span`,{style:{width:`${Math.min(100,e.sentToday/(e.limitToday||1)*100)}%`}})})]},e.id))}),t.length>pl&&(0,c.jsxs)(_s,{href:`/mailboxes`,children:[`Show all `,L(t.length),` mailboxes`]})]})}function Sl({overview:{totals:e}}){return(0,c.jsxs)(`p`,{className:`faint line tight`,children:[(0,c.jsx)(`span`,{className:`swatch opens dots`,"aria-hidden":!0}),(0,c.jsxs)(`span`,{children:[`Opens: `,L(e.opens),`, `,(0,c.jsx)(`b`,{children:`upper bound`}),`: includes mail programs and scanners. Clicks:`,` `,L(e.clicked),`. Unsubscribed: `,L(e.unsubscribed),`.`]})]})}var z=[[`mailbox`,`Connect a mailbox`,`/mailboxes/new`],[`prospects`,`Add prospects`,`/prospects/import`],[`campaign`,`Write a campaign`,`/campaigns/new`],[`trackingDomain`,`Set up a tracking domain`,`/settings/domain`],[`webhook`,`Add a webhook`,`/settings/webhooks`]];function Cl({setup:e}){let t=z.filter(([t])=>e[t]).length;return(0,c.jsxs)(`section`,{className:`section setup`,"aria-labelledby":`setup`,children:[(0,c.jsxs)(`h2`,{id:`setup`,children:[`Getting started `,(0,c.jsxs)(`span`,{className:`faint`,children:[t,` of 5`]})]}),(0,c.jsx)(`progress`,{"aria-label":`Getting started`,value:t,max:5}),(0,c.jsx)(`ul`,{className:`lines`,children:z.map(([t,n,r])=>e[t]?(0,c.jsxs)(`li`,{className:`done`,children:[(0,c.jsx)(Ca,{size:16,"aria-hidden":!0}),(0,c.jsx)(`s`,{children:n}),(0,c.jsx)(`span`,{className:`offscreen`,children:`done`})]},t):(0,c.jsxs)(`li`,{children:[(0,c.jsx)(ka,{size:16,"aria-hidden":!0}),(0,c.jsx)(_s,{href:r,children:n})]},t))})]})}function wl({label:e,at:t,error:n,fault:r,hint:i,children:a}){let o=(0,s.useId)(),l=r??n?.fields.find(({pointer:e})=>e===t)?.detail,u=[i&&`${o}h`,l&&`${o}e`].filter(Boolean).join(` `)||void 0;return(0,c.jsxs)(`div`,{className:`field`,children:[(0,c.jsx)(`label`,{htmlFor:o,children:e}),a({id:o,"aria-describedby":u,...l?{"aria-invalid":!0}:{}}),i&&(0,c.jsx)(`small`,{id:`${o}h`,className:`faint`,children:i}),l&&(0,c.jsxs)(`small`,{id:`${o}e`,className:`wrong`,children:[(0,c.jsx)(No,{size:12,"aria-hidden":!0}),` `,l]})]})}function Tl({error:e,atField:t=!1}){let n=(0,s.useRef)(null);return(0,s.useEffect)(()=>{e&&(n.current?.scrollIntoView({block:`nearest`}),n.current?.closest(`form`)?.querySelector(`[aria-invalid="true"]`)?.focus())},[e]),e?t&&e.fields.length===1?(0,c.jsx)(`div`,{hidden:!0,ref:n}):(0,c.jsxs)(`div`,{className:`form-error`,role:`alert`,ref:n,children:[(0,c.jsx)(No,{size:16,"aria-hidden":!0}),(0,c.jsxs)(`div`,{children:[(0,c.jsx)(`p`,{children:e.fields.length>1&&e.fields.some(({detail:t})=>t===e.message)?`${e.fields.length} problems:`:e.message}),e.fields.length>1&&(0,c.jsx)(`ul`,{children:e.fields.map(e=>(0,c.jsx)(`li`,{children:e.detail},e.pointer+e.detail))}),(0,c.jsx)(Ac,{id:e.requestId})]})]}):null}function El({size:e}){return(0,c.jsxs)(`svg`,{className:`mark`,width:e,height:e,viewBox:`0 0 32 32`,"aria-hidden":!0,children:[(0,c.jsx)(`rect`,{width:`32`,height:`32`,rx:`7`,fill:`#3355d1`}),(0,c.jsx)(`path`,{d:`M7 16.5 25 8l-5.5 17-4.2-6.2z`,fill:`#fff`}),(0,c.jsx)(`path`,{d:`m15.3 18.8-.2 5 4.2-2.6`,fill:`#b9c6f5`})]})}function Dl({onDone:e}){return(0,s.useEffect)(()=>{document.title=`Sign in · Outreach`},[]),(0,c.jsxs)(`main`,{className:`sign-in`,children:[(0,c.jsx)(El,{size:40}),(0,c.jsx)(`h1`,{children:`Sign in to Outreach`}),(0,c.jsx)(Ol,{onDone:e})]})}function Ol({email:e=``,onDone:t}){let[n,r]=(0,s.useState)(e),[i,a]=(0,s.useState)(``),[o,l]=(0,s.useState)(null),u=hn(ii),d=()=>u.mutate({email:n,password:i,code:o},{onSuccess:e=>t(e.signIn),onError:e=>{e.code===`totp_required`&&l(``)}}),f=u.error?.code===`totp_required`?null:u.error;return(0,c.jsxs)(`form`,{onSubmit:e=>{e.preventDefault(),d()},children:[(0,c.jsx)(wl,{label:`E-mail address`,at:`/email`,error:f,children:t=>(0,c.jsx)(`input`,{...t,type:`email`,autoComplete:`username`,required:!0,autoFocus:!e,value:n,onChange:e=>r(e.target.value)})}),(0,c.jsx)(wl,{label:`Password`,at:`/password`,error:f,children:t=>(0,c.jsx)(`input`,{...t,type:`password`,autoComplete:`current-password`,required:!0,"data-autofocus":!!e,value:i,onChange:e=>a(e.target.value)})}),o!==null&&(0,c.jsx)(kl,{value:o,onChange:l}),(0,c.jsx)(Tl,{error:f}),(0,c.jsx)(`button`,{type:`submit`,className:`primary full`,disabled:u.isPending,children:u.isPending?`Signing in…`:`Sign in`})]})}function kl({value:e,onChange:t}){return(0,c.jsx)(wl,{label:`Code`,hint:`From your authenticator app, or a recovery code`,at:`/code`,error:null,children:n=>(0,c.jsx)(`input`,{...n,type:`text`,autoComplete:`one-time-code`,required:!0,autoFocus:!0,value:e,onChange:e=>t(e.target.value)})})}var Al=class extends s.Component{state={error:null};static getDerivedStateFromError(e){return{error:e}}render(){return this.state.error?(0,c.jsxs)(`main`,{className:`page alone`,role:`alert`,children:[(0,c.jsx)(`h1`,{children:`This page failed to load`}),(0,c.jsx)(`p`,{children:this.state.error.message}),(0,c.jsx)(`p`,{className:`line`,children:(0,c.jsx)(`button`,{type:`button`,className:`primary`,onClick:()=>location.reload(),children:`Reload`})})]}):this.props.children}},jl=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),Ml=function(e){return`/`+e},Nl={},Pl=function(e){return e.pathname.endsWith(`.css`)},Fl=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},B=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=Ml(t,n);let r=s(t),i=Pl(r);return Fl(Nl,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:jl,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},Il=(0,s.lazy)(()=>B(()=>import(`./AskPassword-BS4nz4XU.js`),__vite__mapDeps([0,1,2])));function Ll({email:e}){let[t,n]=(0,s.useState)(null);return(0,s.useEffect)(()=>(Et(()=>new Promise(e=>n(()=>e))),()=>Et(()=>Promise.resolve(!1))),[]),t?(0,c.jsx)(s.Suspense,{children:(0,c.jsx)(Il,{email:e,onAnswer:e=>{n(null),t(e)}})}):null}var Rl=window.requestIdleCallback?.bind(window)??(e=>setTimeout(e,100)),zl=3e3,Bl=()=>new Promise(e=>{Rl(e)});function Vl(e,t,n){let r=t[e.split(`/`)[1]??``],i=e=>e().catch(()=>void 0);r&&i(r),setTimeout(async()=>{for(let e of[...n,...Object.values(t)])await Bl(),await i(e)},zl)}var Hl=1e3,Ul={phase:`idle`,title:``,total:0,done:0,counts:{},refused:[],startedAt:0,finishedAt:0,note:``,stopped:!1,seen:!0},Wl=new Set,Gl=new Set,Kl=[],ql={read:()=>Kl,watch:e=>(Gl.add(e),()=>{Gl.delete(e)})},Jl=class{about;pause;state={...Ul,refused:[]};wake=()=>void 0;constructor(e,t=e=>new Promise(t=>{setTimeout(t,e)})){this.about=e,this.pause=t,Wl.add(this)}get busy(){return this.state.phase===`running`||this.state.phase===`waiting`}read=()=>this.state;watch=ql.watch;stop=()=>{this.busy&&(this.set({stopped:!0}),this.wake())};see=()=>{this.state.seen||this.set({seen:!0})};reset=()=>this.set({...Ul,counts:{},refused:[]});set(e){this.state={...this.state,...e},Kl=[...Wl].filter(e=>e.busy||!e.read().seen);for(let e of Gl)e()}async run(e,t,n,r=[]){if(this.busy)return;this.set({...Ul,phase:`running`,title:e,total:t.length,counts:{},refused:[...r],startedAt:Date.now()});let{chunk:i=Hl}=this.about;for(let e=0;e<t.length&&!this.state.stopped;e+=i)await this.chunk(t.slice(e,e+i),n);this.set({phase:`done`,note:``,finishedAt:Date.now(),seen:!1,stopped:this.state.done<t.length})}async chunk(e,t){for(let n=0;!this.state.stopped;n++)try{this.count(e,await t(e));return}catch(t){let r=t instanceof Error?t.message:String(t);if(!Lt(t,n)){this.count(e,e.map(()=>({outcome:`refused`,refused:{pointer:``,reason:r}})));return}this.set({phase:`waiting`,note:r}),await Promise.race([this.pause(Math.min(1e4,1e3*2**n)),new Promise(e=>{this.wake=e})])}}count(e,t){let n={...this.state.counts},r=this.state.refused;t.forEach(({outcome:t,refused:i},a)=>{let o=e[a];i&&o!==void 0?r.push({...this.about.name(o),...i}):n[t]=(n[t]??0)+1}),this.set({phase:`running`,note:``,done:this.state.done+e.length,counts:n})}};function Yl(e,t){return[[t,`field`,`reason`],...e.map(e=>[e.what,e.pointer.replace(/^\//,``),e.reason])]}var Xl=1e4,Zl=5e3,Ql=class{send;leave;store;waiting=[];ids=new Set;watchers=new Set;constructor(e,t,n=()=>localStorage){this.send=e,this.leave=t,this.store=n}read=()=>this.ids;watch=e=>(this.watchers.add(e),()=>{this.watchers.delete(e)});add(e,t,n){let r={key:`${e}.${crypto.randomUUID()}`,ids:t,due:Date.now()+Xl,done:n};return r.timer=setTimeout(()=>void this.run(r),Xl),this.keep(r),this.set([...this.waiting,r]),()=>r.timer!==void 0&&(clearTimeout(r.timer),this.forget(r),!0)}flush=()=>{for(let e of this.waiting)clearTimeout(e.timer),e.timer=void 0,this.leave(e.ids.slice(0,Hl))};hurry=async()=>{let e=this.waiting.filter(({timer:e})=>e!==void 0);for(let{timer:t}of e)clearTimeout(t);await Promise.all(e.map(e=>this.run(e)))};back=()=>{for(let e of this.waiting)e.timer===void 0&&this.run(e)};async resume(e){let t=0;for(let n of this.keys(e)){let{ids:e,due:r}=JSON.parse(this.store().getItem(n)??`{ "ids": [], "due": 0 }`);if(!(Date.now()<r+6e4||this.waiting.some(e=>e.key===n))){for(let n=0;n<e.length;n+=Hl)t+=await this.send(e.slice(n,n+Hl));this.store().removeItem(n)}}return t}keys(e){let t=this.store();return Array.from({length:t.length},(e,n)=>t.key(n)??``).filter(t=>t.startsWith(`${e}.`))}async run(e){e.timer=void 0;let t;for(let n=0,r=0;n<e.ids.length&&t===void 0;)try{await this.send(e.ids.slice(n,n+Hl)),n+=Hl,r=0}catch(n){Lt(n,r++)?(this.keep({...e,due:Date.now()}),await new Promise(e=>setTimeout(e,Zl))):t=n}e.done(t),this.forget(e)}keep({key:e,ids:t,due:n}){try{this.store().setItem(e,JSON.stringify({ids:t,due:n}))}catch{}}forget(e){this.store().removeItem(e.key),this.set(this.waiting.filter(t=>t!==e))}set(e){this.waiting=e,this.ids=new Set(e.flatMap(({ids:e})=>e));for(let e of this.watchers)e()}},$l=(0,s.createContext)(null);function eu(){let e=(0,s.use)($l);if(!e)throw Error(`a page was shown without a viewer`);return e}var tu=new Ql(async e=>(await Dt(ei,{ids:e})).deleteProspects,e=>Ot(ei,{ids:e})),nu=6e4,ru=()=>{let{id:e,workspaceId:t}=eu();return`outreach.delete.${e}.${t??``}`};function iu(){let e=ru();(0,s.useEffect)(()=>{let t=()=>void tu.resume(e).then(e=>{e!==0&&(_c(`${Is(e,`prospect`)} deleted, as you asked before the page was closed.`),pn())},()=>void 0);t();let n=setInterval(t,nu);return window.addEventListener(`pagehide`,tu.flush),window.addEventListener(`pageshow`,tu.back),()=>{clearInterval(n),window.removeEventListener(`pagehide`,tu.flush),window.removeEventListener(`pageshow`,tu.back)}},[e])}var au=tu.hurry;function ou(){let e=ru();return t=>{let n=Is(t.length,`prospect`),r=tu.add(e,t,e=>{e===void 0?fn(`Prospects`,...t):yc(Error(`${n} not deleted. ${e instanceof Error?e.message:String(e)}`)),pn()});_c(`${n} will be deleted in 10 s.`,()=>_c(r()?`Nothing was deleted.`:`It was too late: the deletion has begun.`))}}function su(e){let t=(0,s.useSyncExternalStore)(tu.watch,tu.read),{rows:n}=e,r=(0,s.useMemo)(()=>t.size>0?n.filter(({id:e})=>!t.has(e)):n,[n,t]);return{...e,rows:r}}var V=[{to:`/`,after:`o`,label:`Overview`,icon:Wa},{to:`/inbox`,after:`i`,label:`Inbox`,icon:j},{to:`/campaigns`,after:`c`,label:`Campaigns`,icon:_o},{to:`/prospects`,after:`p`,label:`Prospects`,icon:Lo},{to:`/companies`,after:`m`,label:`Companies`,icon:xa},{to:`/offers`,after:`f`,label:`Offers`,icon:La},{to:`/mailboxes`,after:`b`,label:`Mailboxes`,icon:Qa},{to:`/deliverability`,after:`d`,label:`Deliverability`,icon:xo},{to:`/suppressions`,after:`s`,label:`Suppressions`,icon:_a}],H=5,cu=`outreach.recent.`;function lu(e,t=localStorage){try{return JSON.parse(t.getItem(cu+e)??`[]`)}catch{return[]}}function uu(e,t,n=localStorage){let r=lu(e,n).filter(({to:e,label:n})=>e!==t.to||n!==t.label);n.setItem(cu+e,JSON.stringify([t,...r].slice(0,H)))}function du(e=localStorage){for(let t of Object.keys(e))t.startsWith(cu)&&e.removeItem(t)}var fu=`outreach.draft.`,pu=`outreach.answer.`,mu=(e,t)=>`${fu}${e}.${t}`,hu=(e,t)=>`${pu}${e}.${t}`;function gu(e){try{return JSON.parse(localStorage.getItem(e)??`null`)}catch{return null}}function _u(e,t){try{localStorage.setItem(e,JSON.stringify(t))}catch{}}var vu=e=>localStorage.removeItem(e);function yu(){for(let e of Object.keys(localStorage))e.startsWith(fu)&&localStorage.removeItem(e)}function bu({to:e,label:t,icon:n,at:r}){let i=e===`/${r??``}`;return(0,c.jsxs)(_s,{href:e,className:`entry`,"aria-current":i?`page`:void 0,title:t,children:[(0,c.jsx)(n,{size:18,"aria-hidden":!0}),(0,c.jsx)(`span`,{children:t}),e===`/inbox`&&(0,c.jsx)(xu,{})]})}function xu(){let{data:e}=E(Ur,{}),t=e?.waitingReplies??0;return(0,s.useEffect)(()=>sc(t),[t]),t>0?(0,c.jsxs)(`b`,{className:`count`,children:[t>99?`99+`:t,(0,c.jsx)(`span`,{className:`offscreen`,children:` open replies`})]}):null}function Su({at:e,onKeys:t}){let n=eu(),r=async()=>{await au(),await Dt(ai,{}),sessionStorage.clear(),yu(),du(),nn.clear(),location.assign(`/`)};return(0,c.jsxs)(c.Fragment,{children:[(0,c.jsx)(bu,{to:`/settings`,label:`Settings`,icon:yo,at:e}),n.admin&&(0,c.jsxs)(`a`,{href:`/ops/queues`,className:`entry`,title:`Queue dashboard`,children:[(0,c.jsx)(Ka,{size:18,"aria-hidden":!0}),(0,c.jsx)(`span`,{children:`Queue dashboard`})]}),(0,c.jsxs)(`a`,{href:`/docs`,className:`entry`,title:`API documentation`,children:[(0,c.jsx)(ya,{size:18,"aria-hidden":!0}),(0,c.jsx)(`span`,{children:`API documentation`})]}),(0,c.jsxs)(`div`,{className:`who`,children:[(0,c.jsxs)(_s,{href:`/settings/account`,className:`clip`,title:`${n.email}: account and password`,children:[(0,c.jsx)(`b`,{children:n.workspaceName}),(0,c.jsx)(`small`,{children:n.email})]}),(0,c.jsx)(`button`,{type:`button`,className:`icon keys`,"aria-label":`Keyboard shortcuts`,onClick:t,children:`?`}),(0,c.jsx)(`button`,{type:`button`,className:`icon`,"aria-label":`Sign out`,onClick:()=>void r(),children:(0,c.jsx)(Ja,{size:16,"aria-hidden":!0})})]})]})}var U=2e3;function Cu(e=U){let t=``,n=e=>{if(!(e.ctrlKey||e.metaKey||e.altKey)){if(e.key.length===1)t+=e.key;else if(e.key===`Backspace`)t=t.slice(0,-1);else return;e.preventDefault(),e.stopPropagation()}},r=()=>window.removeEventListener(`keydown`,n,!0);return window.addEventListener(`keydown`,n,!0),setTimeout(r,e),()=>{r();let e=t;return t=``,e}}var wu=e=>/Mac|iPhone|iPad/.test(navigator.platform)?`⌘ ${e}`:`Ctrl ${e}`,Tu=`outreach.keys`,Eu=()=>localStorage.getItem(Tu)!==`off`,Du=e=>localStorage.setItem(Tu,e?`on`:`off`);function Ou(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||!Eu())return!1;let t=e.target;return t.closest(`input, textarea, select, [contenteditable], .composer`)&&!t.matches(`[type=checkbox], [type=radio]`)?!1:!document.querySelector(`[role="dialog"], [role="alertdialog"]`)}function ku(e){let t=(0,s.useRef)(e);(0,s.useEffect)(()=>{t.current=e}),(0,s.useEffect)(()=>{let e=e=>{if(!Ou(e))return;let n=t.current[e.key];n&&(e.preventDefault(),n(e))};return document.addEventListener(`keydown`,e),()=>document.removeEventListener(`keydown`,e)},[])}var Au=1500,ju={...Object.fromEntries(V.map(({after:e,to:t})=>[e,t])),t:`/settings`};function Mu(e){let t=(0,s.useRef)(0);(0,s.useEffect)(()=>{let n=n=>{if(!Ou(n))return;let r=Date.now()-t.current<Au;t.current=!r&&n.key===`g`?Date.now():0;let i=r?ju[n.key]:void 0;i!==void 0&&(n.preventDefault(),n.stopImmediatePropagation(),e(i))};return document.addEventListener(`keydown`,n,!0),()=>document.removeEventListener(`keydown`,n,!0)},[e])}var Nu=new Map;function Pu(e){let t=Nu.get(e)??matchMedia(e);return Nu.set(e,t),t}function Fu(e){let t=(0,s.useCallback)(t=>(Pu(e).addEventListener(`change`,t),()=>Pu(e).removeEventListener(`change`,t)),[e]);return(0,s.useSyncExternalStore)(t,()=>Pu(e).matches)}var Iu=()=>Fu(`(max-width: 760px)`);function Lu({path:e}){let t=(0,s.useSyncExternalStore)(ql.watch,ql.read),n=t.some(e=>e.busy);(0,s.useEffect)(()=>{if(!n)return;let e=e=>e.preventDefault();return window.addEventListener(`beforeunload`,e),()=>window.removeEventListener(`beforeunload`,e)},[n]);let r=n=>e===n||e.startsWith(`${n}/`)&&!t.some(({about:t})=>t.href===e);return t.filter(({about:e})=>!r(e.href)).map(e=>(0,c.jsx)(Ru,{work:e},e.about.href))}function Ru({work:e}){let t=(0,s.useSyncExternalStore)(e.watch,e.read);return t.phase===`done`?(0,c.jsxs)(`div`,{className:`work`,role:`status`,children:[(0,c.jsxs)(`span`,{className:`clip`,children:[t.title,`: `,t.stopped?`stopped`:`finished`,`, `,L(t.done),` of`,` `,Is(t.total,e.about.unit),`.`]}),(0,c.jsx)(_s,{className:`see`,href:e.about.href,children:`Show result`}),(0,c.jsx)(`button`,{type:`button`,className:`link`,onClick:e.see,children:`Dismiss`})]}):(0,c.jsxs)(`div`,{className:`work`,children:[(0,c.jsx)(_s,{className:`clip`,href:e.about.href,children:t.title}),(0,c.jsx)(`progress`,{"aria-label":t.title,max:t.total||1,value:t.done}),(0,c.jsx)(`span`,{className:`faint`,children:t.phase===`waiting`?`waiting for the server`:`${Math.floor(100*t.done/(t.total||1))} %`})]})}var zu=(0,s.lazy)(()=>B(()=>import(`./Palette-g-vqi9KJ.js`),__vite__mapDeps([3,1,4,2,5]))),Bu=(0,s.lazy)(()=>B(()=>import(`./Keys-DGmpFaSt.js`),__vite__mapDeps([6,1,2,7,8]))),Vu=(0,s.lazy)(()=>B(()=>import(`./More-CrwakBo8.js`),__vite__mapDeps([9,1,2])));function Hu({children:e}){let[t,n]=(0,s.useState)(localStorage.getItem(`outreach.rail`)===`narrow`),[r,i]=(0,s.useState)(!1),a=(0,s.useRef)(()=>``),[o,l]=(0,s.useState)(!1),[u,d]=(0,s.useState)(!1),f=Iu(),{path:p,navigate:m}=Mc();return Mu(m),iu(),ku({"?":()=>l(!0),z:wc}),(0,s.useEffect)(()=>{let e=e=>{(e.ctrlKey||e.metaKey)&&e.key.toLowerCase()===`k`&&(e.preventDefault(),a.current(),r||(a.current=Cu()),i(!r))};return document.addEventListener(`keydown`,e),()=>document.removeEventListener(`keydown`,e)},[r]),(0,c.jsxs)(`div`,{className:t?`frame narrow`:`frame`,children:[(0,c.jsx)(`a`,{className:`skip`,href:`#main`,children:`Skip to the content`}),!f&&(0,c.jsxs)(`nav`,{className:`rail`,"aria-label":`Main`,children:[(0,c.jsxs)(`div`,{className:`brand`,children:[(0,c.jsx)(El,{size:22}),(0,c.jsx)(`span`,{children:`Outreach`}),(0,c.jsx)(`button`,{type:`button`,className:`icon`,"aria-label":t?`Expand sidebar`:`Collapse sidebar`,onClick:()=>{localStorage.setItem(`outreach.rail`,t?`wide`:`narrow`),n(!t)},children:(0,c.jsx)(oo,{size:16,"aria-hidden":!0})})]}),(0,c.jsxs)(`button`,{type:`button`,className:`find`,onClick:()=>i(!0),title:`Search or run a command (${wu(`K`)})`,children:[(0,c.jsx)(ho,{size:14,"aria-hidden":!0}),(0,c.jsxs)(`span`,{children:[`Search`,(0,c.jsx)(`span`,{className:`offscreen`,children:` or run a command`})]}),(0,c.jsx)(`kbd`,{children:wu(`K`)})]}),V.map(e=>(0,c.jsx)(bu,{...e,at:p[0]},e.to)),(0,c.jsx)(`div`,{className:`rail-foot`,children:(0,c.jsx)(Su,{at:p[0],onKeys:()=>l(!0)})})]}),(0,c.jsxs)(`div`,{className:`content`,children:[(0,c.jsx)(Uu,{}),(0,c.jsx)(Wu,{}),(0,c.jsx)(Lu,{path:`/${p.join(`/`)}`}),e,(0,c.jsx)(Ec,{})]}),f&&(0,c.jsxs)(`nav`,{className:`bottom`,"aria-label":`Main, bottom`,children:[V.slice(0,4).map(e=>(0,c.jsx)(bu,{...e,at:p[0]},e.to)),(0,c.jsxs)(`button`,{type:`button`,onClick:()=>d(!0),"aria-haspopup":`dialog`,children:[(0,c.jsx)(no,{size:18,"aria-hidden":!0}),(0,c.jsx)(`span`,{children:`More`})]})]}),(0,c.jsxs)(s.Suspense,{children:[u&&(0,c.jsx)(Vu,{at:p[0],onClose:()=>d(!1),onFind:()=>i(!0),onKeys:()=>l(!0)}),r&&(0,c.jsx)(zu,{ahead:()=>a.current(),onKeys:()=>l(!0),onClose:()=>i(!1)}),o&&(0,c.jsx)(Bu,{onClose:()=>l(!1)})]})]})}function Uu(){let[e,t]=(0,s.useState)(!1);return(0,s.useEffect)(()=>Ct(e=>{e!==`signed-out`&&t(e===`away`)}),[]),(0,c.jsx)(`div`,{role:`status`,children:e&&(0,c.jsxs)(`p`,{className:`away`,children:[(0,c.jsx)(Vo,{size:14,"aria-hidden":!0}),` The server cannot be reached. Retrying… Nothing you typed is lost.`]})})}function Wu(){let e=E(Ur,{}).data?.sendingOff;return(0,c.jsx)(`div`,{role:`status`,children:e&&(0,c.jsxs)(`p`,{className:`away`,children:[(0,c.jsx)(eo,{size:14,"aria-hidden":!0}),` `,(0,c.jsx)(`span`,{children:e})]})})}var Gu={inbox:()=>B(()=>import(`./Inbox-BqTLvlJ_.js`),__vite__mapDeps([10,1,11,2])),campaigns:()=>B(()=>import(`./Campaigns-Dgf_C_eC.js`),__vite__mapDeps([12,1,2,4,13,14])),prospects:()=>B(()=>import(`./Prospects-PcB0-KdU.js`),__vite__mapDeps([15,1,2,16,17,18])),companies:()=>B(()=>import(`./Companies-QRirIGb8.js`),__vite__mapDeps([19,2,1,17])),offers:()=>B(()=>import(`./Offers-BYHSSp2s.js`),__vite__mapDeps([20,1,2])),mailboxes:()=>B(()=>import(`./Mailboxes-T_IBq0ED.js`),__vite__mapDeps([21,1,2,22,23])),deliverability:()=>B(()=>import(`./Deliverability-BnloqSfn.js`),__vite__mapDeps([24,1,22,2])),suppressions:()=>B(()=>import(`./Suppressions-Ct6zxxS1.js`),__vite__mapDeps([25,1,2,16])),settings:()=>B(()=>import(`./Settings-BlDkb5LO.js`),__vite__mapDeps([26,1,5,13,2,27,7,8,28,23]))},Ku=Object.fromEntries(Object.entries(Gu).map(([e,t])=>[e,(0,s.lazy)(t)])),qu=(0,s.lazy)(()=>B(()=>import(`./NotFound-C2i6hIH_.js`),__vite__mapDeps([29,27]))),Ju=(0,s.lazy)(()=>B(()=>import(`./SignInAgain-Cjy9eqm3.js`),__vite__mapDeps([30,2,1]))),Yu=(0,s.lazy)(()=>B(()=>import(`./Join-CJlZibTe.js`),__vite__mapDeps([31,1]))),Xu=(0,s.lazy)(()=>B(()=>import(`./TwoFactor-DONsYgSd.js`),__vite__mapDeps([32,28,1,2])));Vl(location.pathname,Gu,[()=>B(()=>import(`./SignInAgain-Cjy9eqm3.js`),__vite__mapDeps([30,2,1])),()=>B(()=>import(`./Palette-g-vqi9KJ.js`),__vite__mapDeps([3,1,4,2,5])),()=>B(()=>import(`./Keys-DGmpFaSt.js`),__vite__mapDeps([6,1,2,7,8])),()=>B(()=>import(`./More-CrwakBo8.js`),__vite__mapDeps([9,1,2]))]);function Zu(){let{data:e,error:t,refetch:n}=E(ri,{},{live:6e4}),[r,i]=(0,s.useState)(null),[a,o]=(0,s.useState)(!1);(0,s.useEffect)(()=>Ct(e=>{e===`signed-out`&&o(!0)}),[]),(0,s.useEffect)(()=>{e?.viewer?(i(e.viewer),o(!1)):e&&o(!0)},[e]);let l=e=>{r&&(r.id!==e.id||r.workspaceId!==e.workspaceId)?(sessionStorage.clear(),location.reload()):(i(e),o(!1),nn.setQueryData([`one`,`Viewer`,{}],{viewer:e}),nn.invalidateQueries())};return location.pathname===`/join`&&location.hash?(0,c.jsxs)(c.Fragment,{children:[(0,c.jsx)(s.Suspense,{children:(0,c.jsx)(Yu,{token:location.hash.slice(1),onDone:()=>location.replace(`/`)})}),(0,c.jsx)(Ec,{})]}):!r&&e&&!e.viewer?(0,c.jsxs)(c.Fragment,{children:[(0,c.jsx)(Dl,{onDone:l}),(0,c.jsx)(Ec,{})]}):!r&&t?(0,c.jsx)(`main`,{className:`page alone`,children:(0,c.jsx)(jc,{error:t,retry:()=>void n(),what:`The server does not respond.`})}):r?(0,c.jsxs)($l,{value:r,children:[(0,c.jsx)(Qu,{},r.workspaceId??``),(0,c.jsx)(Hu,{children:r.totpRequired&&!r.totp?(0,c.jsx)($u,{}):(0,c.jsx)(ed,{})}),a&&(0,c.jsx)(s.Suspense,{children:(0,c.jsx)(Ju,{email:r.email,onDone:l})}),(0,c.jsx)(Ll,{email:r.email})]}):(0,c.jsxs)(`main`,{className:`page alone`,children:[(0,c.jsx)(`h1`,{className:`offscreen`,children:`Outreach`}),(0,c.jsx)(Oc,{kind:`block`,lines:3})]})}function Qu(){return(0,s.useEffect)(()=>ia(),[]),null}function $u(){return(0,c.jsxs)(`main`,{className:`page`,id:`main`,tabIndex:-1,children:[(0,c.jsx)(`h1`,{children:`Two-factor sign-in`}),(0,c.jsx)(`p`,{children:`This workspace requires two-factor sign-in. Turn it on to continue.`}),(0,c.jsx)(s.Suspense,{children:(0,c.jsx)(Xu,{})})]})}function ed(){let{path:e}=Mc(),t=e[0],n=t===void 0?ml:Ku[t]??qu;return(0,c.jsx)(Al,{children:(0,c.jsx)(s.Suspense,{fallback:(0,c.jsxs)(`main`,{className:`page`,id:`main`,tabIndex:-1,children:[(0,c.jsx)(`h1`,{className:`offscreen`,children:`Outreach`}),(0,c.jsx)(Oc,{lines:10})]}),children:(0,c.jsx)(n,{})})},t??``)}var td=n.then(e=>{e!==void 0&&(an(ri,{},{viewer:e?.viewer??null}),e?.waitingReplies!==void 0&&an(Ur,{},{waitingReplies:e.waitingReplies,sendingOff:e.sendingOff}),e?.overview&&an(Vr,{days:28},{overview:e.overview}),e?.attention&&an(Hr,{},{attention:e.attention}),e?.mailboxes&&an(Wr,{},{mailboxes:e.mailboxes}),e?.replies&&e.positive&&e.newest&&an(Gr,{},{replies:e.replies,positive:e.positive,newest:e.newest}))});await Promise.race([td,new Promise(e=>{setTimeout(e,300)})]),(0,bt.createRoot)(document.getElementById(`root`)).render((0,c.jsx)(s.StrictMode,{children:(0,c.jsx)(d,{client:nn,children:(0,c.jsx)(Zu,{})})}));export{bc as $,Qn as $n,fi as $r,hr as $t,Tl as A,fn as Ai,Dn as An,qr as Ar,Fo as At,nl as B,ln as Bi,ji as Bn,pr as Br,io as Bt,Yl as C,mr as Ci,Vn as Cn,ki as Cr,Hs as Ct,Ol as D,Ut as Di,ui as Dn,Zn as Dr,Ko as Dt,kl as E,gr as Ei,oi as En,Mn as Er,ms as Et,Jc as F,mn as Fi,Ji as Fn,ea as Fr,_o as Ft,qc as G,vt as Gi,Vi as Gn,$i as Gr,Da as Gt,$c as H,Lt as Hi,$r as Hn,Xn as Hr,La as Ht,el as I,cn as Ii,zi as In,Ki as Ir,ho as It,Mc as J,o as Ji,di as Jn,Qi as Jr,_a as Jt,Rc as K,ft as Ki,Gi as Kn,Ti as Kr,Ca as Kt,Gc as L,hn as Li,br as Ln,Ei as Lr,po as Lt,rl as M,un as Mi,Rr as Mn,Kr as Mr,jo as Mt,Kc as N,pn as Ni,Zr as Nn,Di as Nr,ko as Nt,El as O,dn as Oi,Mr as On,Or,Uo as Ot,tl as P,sn as Pi,Pi as Pn,ta as Pr,yo as Pt,Sc as Q,qn as Qn,Bn as Qr,Fr as Qt,Zc as R,on as Ri,An as Rn,er as Rr,uo as Rt,Jl as S,Ci as Si,Un as Sn,rr as Sr,Ms as St,B as T,vr as Ti,zn as Tn,Ir as Tr,vs as Tt,Qc as U,xt as Ui,Ii as Un,$n as Ur,Fa as Ut,Yc as V,Rt as Vi,Br as Vn,fr as Vr,Ha as Vt,Xc as W,Dt as Wi,Xi as Wn,kr as Wr,ja as Wt,jc as X,kn as Xn,yr as Xr,ci as Xt,kc as Y,i as Yi,dr as Yn,bi as Yr,A as Yt,Oc as Z,pi as Zn,En as Zr,jn as Zt,V as _,zr as _i,wn as _n,Cr as _r,Vs as _t,Du as a,li as ai,Jn as an,Xr as ar,Qs as at,eu as b,Fi as bi,Ar as bn,gi as br,Gs as bt,Su as c,Ui as ci,Pn as cn,wi as cr,L as ct,vu as d,Zi as di,_n as dn,jr as dr,zs as dt,Ai as ei,_r as en,Gn as er,gc as et,mu as f,hi as fi,Cn as fn,Nr as fr,Bs as ft,lu as g,vi as gi,gn,Sr as gr,Os as gt,uu as h,Er as hi,Sn as hn,wr as hr,Fs as ht,Eu as i,cr as ii,Oi as in,Pr as ir,uc as it,cl as j,Qt as ji,Tr as jn,ti as jr,No as jt,wl as k,nn as ki,Fn as kn,Tn as kr,Lo as kt,bu as l,Ri as li,yn as ln,Hn as lr,Ps as lt,gu as m,On as mi,bn as mn,Yr as mr,Us as mt,Iu as n,Ni as ni,sr as nn,Wn as nr,yc as nt,ku as o,Yn as oi,ni as on,si as or,Xs as ot,_u as p,Hi as pi,xn as pn,Jr as pr,As as pt,Lc as q,S as qi,qi as qn,xi as qr,xa as qt,wu as r,Mi as ri,ur as rn,tr as rr,wc as rt,Cu as s,Wi as si,Bi as sn,_i as sr,Ws as st,Fu as t,Si as ti,Nn as tn,Kn as tr,_c as tt,hu as u,Li as ui,vn as un,xr as ur,Es as ut,ou as v,Qr as vi,yi as vn,or as vr,Is as vt,ql as w,lr as wi,Rn as wn,Lr as wr,_s as wt,Hl as x,Yi as xi,In as xn,ir as xr,ks as xt,su as y,ar as yi,Ln as yn,mi as yr,Ls as yt,Wc as z,E as zi,Dr as zn,nr as zr,co as zt};