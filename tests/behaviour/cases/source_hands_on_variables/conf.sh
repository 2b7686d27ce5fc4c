NAME="set by $NAME"
WITH='a  b
c'
PLAIN=word
export GIVEN="for programs" 
HELD=held
mkdir -p there
cd there
